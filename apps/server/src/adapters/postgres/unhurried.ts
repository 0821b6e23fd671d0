/**
 * A condition that is always met: the commit of the statement it is part of does not wait for the disk (decision 0272).
 * For what only guards what is written after it: the database's log is one sequence, so nothing that comes later
 * outlives a crash without it.
 */
export const unhurried = "set_config('synchronous_commit', 'off', true) = 'off'"
