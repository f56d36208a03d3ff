/**
 * Milliseconds of processor time that this thread has had: what else the machine does is not in it. The system counts
 * it in steps of some milliseconds.
 */
export const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1e3
}
