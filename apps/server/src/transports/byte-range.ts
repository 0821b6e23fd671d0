/** The first and the last byte of a part, both included. */
export type BytePart = { readonly start: number; readonly end: number }

/** By which headers a request names the part that it wants. */
export type PartHeaders = {
  readonly range?: string | undefined
  readonly 'if-range'?: string | string[] | undefined
}

/**
 * The part of a file that is asked for (RFC 9110 §14.2): the whole where no part is, where it is of another file than
 * `etag` names, and where a server may choose (several parts, another unit); `beyond` where the file has no byte of it.
 */
export function partAsked(
  { range, 'if-range': ifRange }: PartHeaders,
  { bytes, etag }: { readonly bytes: number; readonly etag: string },
): BytePart | 'whole' | 'beyond' {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range ?? '') ?? []
  if ((first === '' && last === '') || (ifRange !== undefined && ifRange !== etag)) return 'whole'
  // Without a first byte it is the end that is asked for, of that length.
  if (first === '') return Number(last) > 0 && bytes > 0 ? tail(bytes, Number(last)) : 'beyond'
  const [start, end] = [Number(first), last === '' ? Infinity : Number(last)]
  if (end < start) return 'whole'
  return start < bytes ? { start, end: Math.min(end, bytes - 1) } : 'beyond'
}

function tail(bytes: number, length: number): BytePart {
  return { start: Math.max(0, bytes - length), end: bytes - 1 }
}
