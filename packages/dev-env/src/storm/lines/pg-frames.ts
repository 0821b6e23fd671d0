/** One message of PostgreSQL's wire protocol; the first of a client has no type. */
export type Frame = { readonly type: string; readonly body: Buffer; readonly bytes: Buffer }

/** Puts chunks together and takes messages out of them, in order. A client's stream begins with its startup message. */
export function createFramer(side: 'client' | 'server'): (chunk: Buffer) => readonly Frame[] {
  let rest: Buffer = Buffer.alloc(0)
  let isFirst = side === 'client'
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const frames: Frame[] = []
    for (;;) {
      const header = isFirst ? 0 : 1
      if (rest.length < header + 4) return frames
      const end = header + rest.readInt32BE(header)
      if (rest.length < end) return frames
      frames.push({
        type: isFirst ? '' : rest.toString('latin1', 0, 1),
        body: rest.subarray(header + 4, end),
        bytes: rest.subarray(0, end),
      })
      rest = rest.subarray(end)
      isFirst = false
    }
  }
}

/** The first `count` zero-terminated texts of a message. */
export function textsOf(body: Buffer, count: number): readonly string[] {
  const texts: string[] = []
  for (let from = 0; texts.length < count;) {
    const end = body.indexOf(0, from)
    if (end < 0) break
    texts.push(body.toString('utf8', from, end))
    from = end + 1
  }
  return texts
}
