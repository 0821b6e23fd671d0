import { createHash } from 'node:crypto'
import { cleanCopy } from '../storage/clean/clean-copy.ts'
import { createSniffer } from '../storage/sniff.ts'
import { inspectBytes, prepareDecoder, previewBytes, shownBytes, squareBytes } from './inspect-bytes.ts'
import type { MediaJob, MediaResult } from './media-jobs.ts'
import { serveParser, type Answer } from './serve-parser.ts'

/** Runs in a process of its own, one job at a time; whoever started it ends it when it takes too long. */
async function answer(job: MediaJob, bytes: Buffer): Promise<Answer<MediaResult>> {
  if (job.wanted === 'clean') return cleaned(job.contentType, bytes)
  if (job.wanted === 'facts') return { result: { is: 'facts', facts: await inspectBytes(bytes, job.limits) } }
  const made =
    job.wanted === 'square'
      ? await squareBytes(bytes, job.square, job.limits)
      : await (job.wanted === 'shown' ? shownBytes : previewBytes)(bytes, job.limits)
  return { result: { is: job.wanted, made: made !== null }, ...(made === null ? {} : { bytes: made }) }
}

function cleaned(contentType: string, bytes: Buffer): Answer<MediaResult> {
  const sniffer = createSniffer(contentType)
  sniffer.push(bytes)
  const copy = sniffer.matches() ? cleanCopy(contentType, bytes) : 'broken'
  if (copy === 'broken') return { result: { is: 'broken' } }
  const sha256 = hashOf(bytes)
  return copy === bytes
    ? { result: { is: 'clean', sha256, cleanSha256: null } }
    : { result: { is: 'clean', sha256, cleanSha256: hashOf(copy) }, bytes: copy }
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

prepareDecoder()
serveParser(answer)
