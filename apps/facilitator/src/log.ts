/** Where the service tells its operator what happened. */
export type Log = {
  debug?(fields: object, message: string): void
  info?(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
