/** Loaded before a process (`--import`): its clock runs so many milliseconds ahead of the machine's. */
const aheadMs = Number(process.env['ERGON_CLOCK_AHEAD_MS'])
const truth = Date.now.bind(Date)

class MovedDate extends Date {
  constructor(...given: readonly unknown[]) {
    // The constructor of the platform takes anything; nothing at all means now.
    super(...((given.length === 0 ? [truth() + aheadMs] : given) as [number]))
  }
  static override now(): number {
    return truth() + aheadMs
  }
}

globalThis.Date = MovedDate as DateConstructor // it is never called without `new` here
