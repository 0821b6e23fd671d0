import type { MarketDeps } from './deps.ts'

const batch = 50
/** How long removing a batch may take before another process goes on with it. */
const leaseMs = 10 * 60_000
/** No upload is under way for longer. */
const draftMs = 3_600_000

/** Removes files that were uploaded and never handed in. Answers how many. */
export async function purgeUploads(deps: MarketDeps): Promise<number> {
  const now = deps.clock.now()
  const due = await deps.uploads.leaseDue(now, new Date(now.getTime() + leaseMs), batch)
  // The files first: a row whose file is gone is purged again, a file whose row is gone never.
  for (const upload of due) {
    await deps.evidence.remove(upload.key, upload.kept)
    await deps.uploads.purged(upload.key)
  }
  await deps.evidence.removeDrafts(new Date(now.getTime() - draftMs))
  return due.length
}
