/** A line between two processes, which breaks as lines do. */
export type Line = AsyncDisposable & {
  readonly port: number
  /** Breaks every connection, as a switch that restarts. */
  breakAll(): void
  /** Nothing passes the connections of now any more, and none of them ends; new ones are as ever. */
  silence(): void
  /** Refuses everything until `open`. */
  close(): void
  open(): void
}
