import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { contentTypeOf, fileKinds } from '@ergon/contract/facts'
import { usageError } from './cli-error.ts'

export type EvidenceFile = { readonly filename: string; readonly content_type: string; readonly bytes: Uint8Array }
/** One piece of evidence: a file to upload, or a value as it is. */
export type Piece = { readonly type: string; readonly file?: EvidenceFile; readonly value?: unknown }

const endings = Object.values(fileKinds).flatMap((kind) => kind.endings.map((ending) => `.${ending}`))

/** What the options of `submit` name. @throws CliError when one of them cannot be read */
export function readEvidence(named: {
  readonly photo: string | undefined
  readonly gps: string | undefined
  readonly text: string | undefined
  readonly others: readonly string[]
}): readonly Piece[] {
  return [
    ...(named.photo === undefined ? [] : [{ type: 'photo', file: readFile(named.photo) }]),
    ...(named.gps === undefined ? [] : [{ type: 'gps', value: readPosition(named.gps) }]),
    ...(named.text === undefined ? [] : [{ type: 'text_response', value: named.text }]),
    ...named.others.map(readOther),
  ]
}

function readOther(text: string): Piece {
  const [, type = '', value = ''] = /^([a-z_]+)=(.*)$/s.exec(text) ?? []
  if (type === '')
    throw usageError(`--evidence ${text} is not TYPE=VALUE`, 'Write for example --evidence document=@report.pdf')
  if (value.startsWith('@')) return { type, file: readFile(value.slice(1)) }
  try {
    return { type, value: JSON.parse(value) }
  } catch {
    return { type, value }
  }
}

function readFile(path: string): EvidenceFile {
  const content_type = contentTypeOf(extname(path).slice(1))
  if (content_type === undefined)
    throw usageError(
      `${path} is of no kind that is taken as evidence`,
      `Its name must end with one of ${endings.join(', ')}.`,
    )
  try {
    return { filename: basename(path), content_type, bytes: readFileSync(path) }
  } catch (cause) {
    throw usageError(
      `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Check the path.',
    )
  }
}

function readPosition(text: string): Readonly<Record<string, number>> {
  const [lat, lng, accuracy_meters, ...rest] = text
    .split(',')
    .map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const numbers = [lat, lng, ...(accuracy_meters === undefined ? [] : [accuracy_meters])]
  if (rest.length > 0 || lat === undefined || lng === undefined || !numbers.every(Number.isFinite))
    throw usageError(`--gps ${text} is not LAT,LNG or LAT,LNG,ACC`, 'Write degrees with a point: 48.2082,16.3738,6')
  return { lat, lng, ...(accuracy_meters === undefined ? {} : { accuracy_meters }) }
}
