/** Seconds by which the clock of a provider may differ. */
export const clockTolerance = 60
