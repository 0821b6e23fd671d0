import { ErgonError, type OperationsClient } from '@ergon/sdk'
import { evidenceTypes } from '@ergon/contract'
import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import { ownLink } from '../../lib/service-address.ts'
import { afterFailure, afterSending, isDue, isOfSameTask, type Draft, type Parcel } from './parcel.ts'

interface OutboxSchema extends DBSchema {
  drafts: { key: string; value: Draft }
  parcels: { key: string; value: Parcel }
}

/** What was captured and is not at the service yet; it outlives the page. */
export type Outbox = {
  readonly readDraft: (wallet: string, taskId: string) => Promise<Draft | undefined>
  readonly keepDraft: (draft: Draft) => Promise<void>
  readonly drafts: (wallet: string) => Promise<readonly Draft[]>
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
const draftKey = (wallet: string, taskId: string): string => `${wallet} ${taskId}`
/** Signing in again opens these. */
const opensLater = ['SIGNATURE_REQUIRED', 'SESSION_REQUIRED', 'SESSION_EXPIRED', 'UNAUTHORIZED']

export function createOutbox(now: () => number): Outbox {
  let opened: Promise<IDBPDatabase<OutboxSchema>> | undefined
  const database = (): Promise<IDBPDatabase<OutboxSchema>> =>
    (opened ??= openDB<OutboxSchema>('ergon-outbox', 1, {
      upgrade(db) {
        db.createObjectStore('drafts')
        db.createObjectStore('parcels', { keyPath: 'id' })
      },
    }))
  const post = async (parcel: Parcel): Promise<boolean> => {
    const changes = (await database()).transaction(['drafts', 'parcels'], 'readwrite')
    const parcels = changes.objectStore('parcels')
    const earlier = (await parcels.getAll()).filter((one) => isOfSameTask(one, parcel))
    const isFirst = earlier.every(({ state }) => state !== 'waiting')
    // What was sent or refused before has had its turn.
    if (isFirst)
      await Promise.all([
        ...earlier.map(({ id }) => parcels.delete(id)),
        parcels.put(parcel),
        changes.objectStore('drafts').delete(draftKey(parcel.wallet, parcel.taskId)),
      ])
    await changes.done
    return isFirst
  }
  const list = async (wallet: string): Promise<readonly Parcel[]> =>
    (await (await database()).getAll('parcels')).filter((one) => one.wallet === wallet)
  return {
    readDraft: async (wallet, taskId) => (await database()).get('drafts', draftKey(wallet, taskId)),
    keepDraft: async (draft) => {
      await (await database()).put('drafts', draft, draftKey(draft.wallet, draft.taskId))
    },
    drafts: async (wallet) => (await (await database()).getAll('drafts')).filter((one) => one.wallet === wallet),
    post,
    forget: async (id) => {
      await (await database()).delete('parcels', id)
    },
    list,
    // Two open tabs would send the same parcel at the same time; the lock lets one of them.
    drain: (market, wallet, isAsked) =>
      navigator.locks.request(lockName, async () => {
        const due = (await list(wallet)).filter((one) => isDue(one, now(), isAsked))
        const keep = async (parcel: Parcel): Promise<void> => {
          await (await database()).put('parcels', parcel)
        }
        const tried: Parcel[] = []
        for (const parcel of due) tried.push(await deliver(market, parcel, keep, now))
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
