import type { OutputOf, Operations } from '@ergon/contract'
import type { Market } from '@ergon/core'

/** What files of evidence take. */
export function presentUploads(
  sizes: Awaited<ReturnType<Market['uploadSizes']>>,
): OutputOf<Operations['admin.metrics']>['uploads'] {
  return {
    files: sizes.files,
    bytes: sizes.bytes,
    waiting_files: sizes.waitingFiles,
    waiting_bytes: sizes.waitingBytes,
    today_bytes: sizes.todayBytes,
    day_limit_bytes: sizes.dayLimitBytes,
  }
}
