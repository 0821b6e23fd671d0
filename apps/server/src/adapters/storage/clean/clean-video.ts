import { blank, boxesIn, wipe, type Box } from './iso-boxes.ts'
import { sampleExtents } from './sample-extents.ts'

/** What plays the film; every other box is emptied. */
const kept: Readonly<Record<string, ReadonlySet<string>>> = {
  file: new Set(['ftyp', 'styp', 'moov', 'mdat', 'moof', 'mfra', 'sidx', 'ssix', 'prft', 'pdin']),
  moov: new Set(['mvhd', 'trak', 'mvex', 'iods']),
  trak: new Set(['tkhd', 'edts', 'mdia', 'tapt']),
  mdia: new Set(['mdhd', 'hdlr', 'minf', 'elng']),
  minf: new Set(['vmhd', 'smhd', 'nmhd', 'sthd', 'gmhd', 'hdlr', 'dinf', 'stbl']),
  moof: new Set(['mfhd', 'traf']),
  traf: new Set(['tfhd', 'tfdt', 'trun', 'sbgp', 'sgpd', 'saiz', 'saio', 'subs', 'senc']),
}
const maxDropped = 16
const clocks = new Set(['mvhd', 'tkhd', 'mdhd'])
/** Picture, sound and subtitles; phones and cameras write positions as a track of its own. */
const shownTracks = new Set(['vide', 'soun', 'text', 'sbtl', 'subt', 'clcp'])

/**
 * An MP4 or MOV of the same length whose user data, metadata, dates and metadata tracks are emptied; no offset moves.
 * Null where the file cannot be followed to its end.
 */
export function cleanVideo(bytes: Buffer): Buffer | null {
  const copy = Buffer.from(bytes)
  const top = boxesIn(copy, 0, copy.length)
  if (top === null || top[0]?.name !== 'ftyp' || !top.some(({ name }) => name === 'moov')) return null
  const scene: Scene = {
    copy,
    data: top.filter(({ name }) => name === 'mdat'),
    isFragmented: top.some(({ name }) => name === 'moof'),
    dropped: 0,
  }
  return cleanList(scene, top, 'file') ? copy : null
}

type Scene = { readonly copy: Buffer; readonly data: readonly Box[]; readonly isFragmented: boolean; dropped: number }

function cleanList(scene: Scene, boxes: readonly Box[], parent: string): boolean {
  return boxes.every((box) => {
    if (kept[parent]?.has(box.name) !== true) {
      blank(scene.copy, box)
      return true
    }
    if (clocks.has(box.name)) return stopClock(scene.copy, box)
    if (kept[box.name] === undefined) return true
    const inner = boxesIn(scene.copy, box.body, box.end)
    if (inner === null) return false
    return box.name === 'trak' && !isShown(scene.copy, inner)
      ? dropTrack(scene, box)
      : cleanList(scene, inner, box.name)
  })
}

function isShown(bytes: Buffer, track: readonly Box[]): boolean {
  const media = track.find(({ name }) => name === 'mdia')
  const handler =
    media === undefined ? undefined : boxesIn(bytes, media.body, media.end)?.find(({ name }) => name === 'hdlr')
  return handler !== undefined && shownTracks.has(bytes.toString('latin1', handler.body + 8, handler.body + 12))
}

/** The samples of a track that is not shown lie among the film's; they are wiped where they lie. */
function dropTrack(scene: Scene, track: Box): boolean {
  const { copy, data, isFragmented } = scene
  scene.dropped += 1
  // The samples of fragments are told elsewhere, and each track may ask to wipe the whole file.
  if (isFragmented || scene.dropped > maxDropped) return false
  const extents = sampleExtents(copy, track)
  if (extents === null || !wipe(copy, data, extents)) return false
  blank(copy, track)
  return true
}

function stopClock(bytes: Buffer, box: Box): boolean {
  const size = bytes[box.body] === 1 ? 16 : 8
  if (box.body + 4 + size > box.end) return false
  bytes.fill(0, box.body + 4, box.body + 4 + size)
  return true
}
