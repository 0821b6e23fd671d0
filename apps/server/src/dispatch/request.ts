/** A request as a transport received it: target and header list raw, in order, with duplicates. */
export type RawRequest = {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
  /** Address of the caller, behind trusted proxies only. */
  readonly ip: string
  readonly requestId: string
  /**
   * Calls once when the answer was written, its connection has ended or the caller's side of it, at once where that is
   * so already: what is held for a caller is given back here.
   */
  readonly onEnd?: (run: () => void) => void
}

/** Whether a request only reads: HEAD is GET without the content. */
export const isRead = ({ method }: Pick<RawRequest, 'method'>): boolean => method === 'GET' || method === 'HEAD'

/** Pairs up the flat list that Node keeps as `rawHeaders`. */
export function headerPairs(flat: readonly string[]): readonly (readonly [string, string])[] {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < flat.length; index += 2) pairs.push([flat[index] ?? '', flat[index + 1] ?? ''])
  return pairs
}
