/** A line between two processes, which breaks as lines do. */
export type Line = AsyncDisposable & {
  readonly port: number
  /** Breaks every connection, as a switch that restarts. */
  breakAll(): void
  /** Refuses everything until `open`. */
  close(): void
  open(): void
}
