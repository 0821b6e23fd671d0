import type { EvidenceInspector, FileFacts, Reviewer } from '@ergon/core'

/**
 * What the flow of verification counts on: an inspection or a review is over by then, whatever became of it (spec §8).
 */
const mostMs = 25_000

/** An inspector that answers in time: what takes longer is trouble of the file. */
export function boundedInspector(inspector: EvidenceInspector, ms = mostMs): EvidenceInspector {
  return {
    inspect: (file) =>
      within(inspector.inspect(file), ms, (): FileFacts => ({
        sha256: file.sha256,
        contentType: file.content_type,
        bytes: file.bytes,
        width: null,
        height: null,
        image: null,
        exif: null,
        aiMarkers: [],
        trouble: 'timeout',
      })),
  }
}

/** A reviewer that answers in time, or is unavailable. */
export function boundedReviewer(reviewer: Reviewer, ms = mostMs): Reviewer {
  return {
    review: (question) => within(reviewer.review(question), ms, () => ({ outcome: 'unavailable', reason: 'timeout' })),
  }
}

async function within<T>(work: Promise<T>, ms: number, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<T>((resolve) => {
    timer = setTimeout(() => {
      resolve(late())
    }, ms)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
