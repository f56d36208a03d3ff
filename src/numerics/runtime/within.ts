/** Bounds and default of a number in an input, the three that stand together in the schema of every solver. */
export const within = (minimum: number, maximum: number, initial: number) => ({ minimum, maximum, default: initial })
