import { ErgonError, type OperationsClient } from '@ergon/sdk'
import { evidenceTypes } from '@ergon/contract'
import { ownLink } from '../../lib/service-address.ts'
import { createOutboxStore } from './outbox-store.ts'
import { afterFailure, afterSending, isDue, type Draft, type Parcel } from './parcel.ts'

/** What was captured and is not at the service yet; it outlives the page where the browser lets it. */
export type Outbox = {
  readonly readDraft: (wallet: string, taskId: string) => Promise<Draft | undefined>
  /** Whether it outlives the page. */
  readonly keepDraft: (draft: Draft) => Promise<boolean>
  readonly drafts: (wallet: string) => Promise<readonly Draft[]>
  /** Whether the device says what it keeps. */
  readonly isReadable: () => Promise<boolean>
  /**
   * Turns the draft of a task into a parcel, in one step; false when one of that task waits already, which then stays
   * the only one.
   */
  readonly post: (parcel: Parcel) => Promise<boolean>
  readonly list: (wallet: string) => Promise<readonly Parcel[]>
  readonly forget: (id: string) => Promise<void>
  /**
   * Sends what is due, one after the other, and says what became of it; `isAsked` by a person or by the network coming
   * back.
   */
  readonly drain: (market: OperationsClient, wallet: string, isAsked: boolean) => Promise<readonly Parcel[]>
}

const lockName = 'ergon.outbox'
/** Signing in again opens these. */
const opensLater = ['SIGNATURE_REQUIRED', 'SESSION_REQUIRED', 'SESSION_EXPIRED', 'UNAUTHORIZED']

export function createOutbox(now: () => number): Outbox {
  const store = createOutboxStore()
  const list = async (wallet: string): Promise<readonly Parcel[]> =>
    (await store.parcels()).filter((one) => one.wallet === wallet)
  return {
    readDraft: (wallet, taskId) => store.draft(wallet, taskId),
    keepDraft: (draft) => store.keepDraft(draft),
    drafts: async (wallet) => (await store.drafts()).filter((one) => one.wallet === wallet),
    isReadable: () => store.isReadable(),
    post: (parcel) => store.post(parcel),
    forget: (id) => store.forget(id),
    list,
    // Two open tabs would send the same parcel at the same time; the lock lets one of them.
    drain: (market, wallet, isAsked) =>
      navigator.locks.request(lockName, async () => {
        const due = (await list(wallet)).filter((one) => isDue(one, now(), isAsked))
        const tried: Parcel[] = []
        for (const parcel of due) tried.push(await deliver(market, parcel, (one) => store.keepParcel(one), now))
        return tried
      }),
  }
}

/** Sends one parcel: each file once, then the submission under the key of the parcel. */
async function deliver(
  market: OperationsClient,
  given: Parcel,
  keep: (parcel: Parcel) => Promise<void>,
  now: () => number,
): Promise<Parcel> {
  let parcel = given
  try {
    for (const type of evidenceTypes) {
      const answer = parcel.answers[type]
      if (answer?.kind !== 'file' || parcel.uploaded[type] !== undefined) continue
      const bytes = new Uint8Array(await answer.blob.arrayBuffer())
      const link = await market.evidence.presignUpload({
        task_id: parcel.taskId,
        evidence_type: type,
        filename: answer.name,
        content_type: answer.contentType,
        content_length: bytes.length,
      })
      await market.transport.put(
        ownLink(link.upload_url),
        { 'content-type': link.content_type, ...link.headers },
        bytes,
      )
      parcel = { ...parcel, uploaded: { ...parcel.uploaded, [type]: link.public_url } }
      await keep(parcel)
    }
    await market.tasks.submit({
      task_id: parcel.taskId,
      evidence: evidenceOf(parcel),
      ...(parcel.notes === undefined ? {} : { notes: parcel.notes }),
      device_metadata: parcel.device,
      idempotency_key: parcel.id,
    })
    parcel = afterSending(parcel)
  } catch (error) {
    const failure =
      error instanceof ErgonError
        ? {
            code: error.code,
            canRetry: error.retryable || error.unanswered || error.status === 401 || opensLater.includes(error.code),
            retryAfterSec: error.retryAfterSec,
          }
        : { code: 'unknown', canRetry: true, retryAfterSec: undefined }
    parcel = afterFailure(parcel, failure, now())
  }
  await keep(parcel)
  return parcel
}

function evidenceOf({ answers, uploaded }: Parcel): Record<string, unknown> {
  return Object.fromEntries(
    evidenceTypes.flatMap((type) => {
      const answer = answers[type]
      return answer === undefined ? [] : [[type, answer.kind === 'file' ? uploaded[type] : answer.value]]
    }),
  )
}
