import { boxesIn, type Box } from './iso-boxes.ts'

export type Extent = { readonly from: number; readonly length: number }
/** A track of positions has a few pieces a second; every piece is held against every data box. */
export const maxExtents = 100_000

/** Where the samples of a track lie in the file; null where its tables contradict themselves. */
export function sampleExtents(bytes: Buffer, track: Box): readonly Extent[] | null {
  const table = descend(bytes, track, ['mdia', 'minf', 'stbl'])
  if (table === null) return []
  const boxes = boxesIn(bytes, table.body, table.end)
  const named = (name: string): Box | undefined => boxes?.find((box) => box.name === name)
  const [sizes, runs, chunks] = [named('stsz'), named('stsc'), named('stco') ?? named('co64')]
  if (boxes === null || sizes === undefined || runs === undefined || chunks === undefined) return null
  return walk(bytes, sizes, runs, chunks)
}

function descend(bytes: Buffer, from: Box, path: readonly string[]): Box | null {
  let box: Box | undefined = from
  for (const name of path)
    box = box === undefined ? undefined : boxesIn(bytes, box.body, box.end)?.find((one) => one.name === name)
  return box ?? null
}

function walk(bytes: Buffer, sizes: Box, runs: Box, chunks: Box): readonly Extent[] | null {
  const wide = chunks.name === 'co64' ? 8 : 4
  if (sizes.body + 12 > sizes.end || runs.body + 8 > runs.end || chunks.body + 8 > chunks.end) return null
  const same = bytes.readUInt32BE(sizes.body + 4)
  const [sampleCount, runCount, chunkCount] = [
    bytes.readUInt32BE(sizes.body + 8),
    bytes.readUInt32BE(runs.body + 4),
    bytes.readUInt32BE(chunks.body + 4),
  ]
  if (
    (same === 0 && sizes.body + 12 + sampleCount * 4 > sizes.end) ||
    runs.body + 8 + runCount * 12 > runs.end ||
    chunks.body + 8 + chunkCount * wide > chunks.end
  )
    return null
  if (chunkCount > maxExtents) return null
  const extents: Extent[] = []
  let [run, sample] = [0, 0]
  for (let chunk = 0; chunk < chunkCount; chunk += 1) {
    while (run + 1 < runCount && bytes.readUInt32BE(runs.body + 8 + (run + 1) * 12) <= chunk + 1) run += 1
    const inChunk = Math.min(
      runCount === 0 ? 0 : bytes.readUInt32BE(runs.body + 8 + run * 12 + 4),
      sampleCount - sample,
    )
    let length = same * inChunk
    for (let one = 0; same === 0 && one < inChunk; one += 1)
      length += bytes.readUInt32BE(sizes.body + 12 + (sample + one) * 4)
    sample += inChunk
    const at = chunks.body + 8 + chunk * wide
    extents.push({ from: wide === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at), length })
  }
  return extents
}
