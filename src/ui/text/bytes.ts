const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']
const STEP = 1000

/** A number of bytes as people read it. */
export const bytesText = (bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / STEP ** power
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`
}
