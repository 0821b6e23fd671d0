import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import { isOfSameTask, type Draft, type Parcel } from './parcel.ts'
import { answersOf, atRest, type AtRest } from './at-rest.ts'

interface OutboxSchema extends DBSchema {
  drafts: { key: string; value: AtRest<Draft> }
  parcels: { key: string; value: AtRest<Parcel> }
}

/** Drafts and parcels, on this device; what it does not keep, as some private windows do not, lives with the page. */
export interface OutboxStore {
  draft(wallet: string, taskId: string): Promise<Draft | undefined>
  drafts(): Promise<readonly Draft[]>
  parcels(): Promise<readonly Parcel[]>
  /** Whether the device says what it keeps; where it does not, there may be more than is told. */
  isReadable(): Promise<boolean>
  /** Whether it outlives the page. */
  keepDraft(draft: Draft): Promise<boolean>
  keepParcel(parcel: Parcel): Promise<void>
  /** In one step; see `Outbox.post`. */
  post(parcel: Parcel): Promise<boolean>
  forget(id: string): Promise<void>
}

const draftKey = ({ wallet, taskId }: Pick<Draft, 'wallet' | 'taskId'>): string => `${wallet} ${taskId}`

export function createOutboxStore(): OutboxStore {
  const device = openDevice()
  const page = { drafts: new Map<string, Draft>(), parcels: new Map<string, Parcel>() }
  return {
    async draft(wallet, taskId) {
      const key = draftKey({ wallet, taskId })
      const kept = page.drafts.get(key)
      if (kept !== undefined) return kept
      const found = await device((db) => db.get('drafts', key))
      return found === undefined || found === refused ? undefined : answersOf(found)
    },
    async drafts() {
      const found = await device((db) => db.getAll('drafts'))
      return newest(found === refused ? [] : found.map(answersOf), page.drafts, draftKey)
    },
    async parcels() {
      const found = await device((db) => db.getAll('parcels'))
      return newest(found === refused ? [] : found.map(answersOf), page.parcels, ({ id }) => id)
    },
    isReadable: async () => (await device((db) => db.count('drafts'))) !== refused,
    async keepDraft(draft) {
      const key = draftKey(draft)
      const value = await atRest(draft)
      const isKept = (await device((db) => db.put('drafts', value, key))) !== refused
      if (isKept) page.drafts.delete(key)
      else page.drafts.set(key, draft)
      return isKept
    },
    async keepParcel(parcel) {
      const value = await atRest(parcel)
      if (page.parcels.has(parcel.id) || (await device((db) => db.put('parcels', value))) === refused)
        page.parcels.set(parcel.id, parcel)
    },
    async post(parcel) {
      const value = await atRest(parcel)
      const posted = await device((db) => postOnDevice(db, value))
      const isFirst = posted === refused ? postOnPage(page.parcels, parcel) : posted
      if (isFirst) page.drafts.delete(draftKey(parcel))
      return isFirst
    },
    async forget(id) {
      page.parcels.delete(id)
      await device((db) => db.delete('parcels', id))
    },
  }
}

/** What the device took no more is newer on the page: of a parcel that was sent, the one that waits is no other. */
function newest<T>(kept: readonly T[], page: ReadonlyMap<string, T>, keyOf: (one: T) => string): readonly T[] {
  return [...kept.filter((one) => !page.has(keyOf(one))), ...page.values()]
}

const refused = Symbol('this device does not keep it')
type Device = <Answer>(does: (db: IDBPDatabase<OutboxSchema>) => Promise<Answer>) => Promise<Answer | typeof refused>

/** Opens when it is first asked. Whatever the reason, and no browser names it alike: what is not kept is not kept. */
function openDevice(): Device {
  let opened: Promise<IDBPDatabase<OutboxSchema>> | undefined
  return async (does) => {
    try {
      opened ??= openDB<OutboxSchema>('ergon-outbox', 1, {
        upgrade(db) {
          db.createObjectStore('drafts')
          db.createObjectStore('parcels', { keyPath: 'id' })
        },
      })
      return await does(await opened)
    } catch {
      return refused
    }
  }
}

async function postOnDevice(db: IDBPDatabase<OutboxSchema>, parcel: AtRest<Parcel>): Promise<boolean> {
  const changes = db.transaction(['drafts', 'parcels'], 'readwrite')
  const parcels = changes.objectStore('parcels')
  const earlier = (await parcels.getAll()).filter((one) => isOfSameTask(one, parcel))
  const isFirst = earlier.every(({ state }) => state !== 'waiting')
  // What was sent or refused before has had its turn.
  if (isFirst)
    await Promise.all([
      ...earlier.map(({ id }) => parcels.delete(id)),
      parcels.put(parcel),
      changes.objectStore('drafts').delete(draftKey(parcel)),
    ])
  await changes.done
  return isFirst
}

function postOnPage(parcels: Map<string, Parcel>, parcel: Parcel): boolean {
  const earlier = [...parcels.values()].filter((one) => isOfSameTask(one, parcel))
  if (earlier.some(({ state }) => state === 'waiting')) return false
  for (const { id } of earlier) parcels.delete(id)
  parcels.set(parcel.id, parcel)
  return true
}
