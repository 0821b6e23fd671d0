/**
 * The salt of a challenge: the sixteen bytes of the task's id, then sixteen random ones, so that what was signed for
 * one task cannot be taken for another (decision 0094). `random` keeps its low 128 bits.
 */
export function saltOf(taskId: string, random: bigint): bigint {
  return (BigInt(`0x${taskId.replaceAll('-', '')}`) << 128n) | BigInt.asUintN(128, random)
}

/** The shape of our ids (RFC 9562 §5.7). */
const version7 = /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/

/** The id of a task that a salt carries; null where it carries nothing of the shape of our ids. */
export function taskIn(salt: bigint): string | null {
  const hex = (salt >> 128n).toString(16).padStart(32, '0')
  return version7.test(hex)
    ? `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    : null
}

/**
 * The id that a salt may carry in the place of this task's: whether a task goes by it is the caller's to find out. Null
 * where the salt carries this task, or nothing of the shape of our ids, as a client's own random salt.
 */
export function otherTaskIn(salt: bigint, taskId: string): string | null {
  const id = taskIn(salt)
  return id === taskId ? null : id
}
