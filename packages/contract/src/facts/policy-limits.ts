/** Bounds and defaults of a task's policy (decision 0157). */
export const policyLimits = {
  reviewHoursMin: 1,
  reviewHoursMax: 336,
  reviewHoursDefault: 72,
  disputeHoursMin: 24,
  disputeHoursMax: 720,
  disputeHoursDefault: 168,
  revisionsMax: 5,
  revisionsDefault: 1,
  applicationsMax: 500,
  startHoursMax: 336,
  /** What the challenge asks for beside it, so that the deadline can be put off once the money is locked. */
  roomHours: 72,
  /** What all of it may bind the money past the deadline. */
  boundHoursMax: 2_160,
} as const
