import { connectionLost, foreignKeyViolation, uniqueViolation } from './errors.ts'
import { lock, mayLock, waitFor, type Lockable, type LockMode } from './locks.ts'
import type { Session, Viewer } from './session.ts'

/** A row in its versions: as committed, and as the one transaction that writes it sees it. Deleted, it is undefined. */
export type Slot<R> = Lockable & {
  committed: R | undefined
  written: R | undefined
  writer: Session | undefined
  entries: { readonly index: Index<R>; readonly key: string }[]
}

/** `keyOf` null: the row is not in the index, which is partial. */
export type IndexSpec<R> = { readonly isUnique: boolean; readonly keyOf: (row: R) => string | null }
export type Index<R> = IndexSpec<R> & { readonly name: string; readonly buckets: Map<string, Slot<R>[]> }

/** Sees to it that the row of another table is there, and stays. */
export type Reference<R> = (session: Session, row: R) => Promise<void>

export const unique = <R>(keyOf: (row: R) => string | null): IndexSpec<R> => ({ isUnique: true, keyOf })
export const lookup = <R>(keyOf: (row: R) => string | null): IndexSpec<R> => ({ isUnique: false, keyOf })

type Where<R> = (row: R) => boolean

export type Table<R, N extends string = string> = {
  readonly name: string
  readonly by: Readonly<Record<N, Index<R>>>
  readonly slots: Set<Slot<R>>
  /** False when a row with this key of one of the indexes `unless` is there; any other row in the way is an error. */
  insert(session: Session, row: R, unless?: readonly Index<R>[]): Promise<boolean>
  /** As an update of the rows that matched when the statement began; what was waited for is looked at again. */
  update(session: Session, rows: readonly Slot<R>[], where: Where<R>, change: (row: R) => R): Promise<readonly R[]>
  remove(session: Session, rows: readonly Slot<R>[], where: Where<R>): Promise<readonly R[]>
  /** Inserts, or changes the row that has the key, where it may be changed; undefined where it may not. */
  upsert(session: Session, row: R, arbiter: Index<R>, change: (row: R) => R, where?: Where<R>): Promise<R | undefined>
}

/** Locks rows for update one by one; a row that no longer matches when its lock is had is left out. */
export async function lockRows<R>(
  session: Session,
  rows: readonly Slot<R>[],
  where: Where<R>,
  mode: LockMode = 'update',
): Promise<readonly R[]> {
  const locked: R[] = []
  for (const slot of rows) {
    const row = await lockRow(session, slot, where, mode)
    if (row !== undefined) locked.push(row)
  }
  return locked
}

/** Locks what has no row; such a lock alone gives a transaction no number. */
export async function lockNamed(session: Session, name: Lockable): Promise<void> {
  requireLine(session)
  const waiting = lock(name, session, 'update')
  if (waiting !== undefined) await goOn(session, waiting)
}

async function lockRow<R>(session: Session, slot: Slot<R>, where: Where<R>, mode: LockMode): Promise<R | undefined> {
  requireLine(session)
  const waiting = lock(slot, session, mode)
  if (waiting !== undefined) await goOn(session, waiting)
  session.begin()
  const row = seen(slot, session)
  return row !== undefined && where(row) ? row : undefined
}

/**
 * As `order by … limit … for update skip locked`: each row is locked when it is found free, so that who takes several
 * waits for nobody.
 */
export function takeFree<R>(
  session: Session,
  rows: readonly Slot<R>[],
  by: (row: R) => number,
  limit: number,
): readonly Slot<R>[] {
  requireLine(session)
  const inOrder = rows
    .flatMap((slot) => (slot.committed === undefined ? [] : [{ slot, key: by(slot.committed) }]))
    .toSorted((one, other) => one.key - other.key)
  const taken: Slot<R>[] = []
  for (const { slot } of inOrder) {
    if (taken.length === limit) break
    if (!mayLock(slot, session, 'update')) continue
    void lock(slot, session, 'update')
    taken.push(slot)
  }
  if (taken.length > 0) session.begin()
  return taken
}

async function goOn(session: Session, waiting: Promise<void>): Promise<void> {
  await waiting
  await session.point('granted')
  requireLine(session)
}

/** A line may be cut between two rows of one statement: what was undone is not gone on with. */
function requireLine(session: Session): void {
  if (session.state !== 'open') throw connectionLost()
}

export function seen<R>(slot: Slot<R>, viewer: Viewer): R | undefined {
  return viewer !== undefined && slot.writer === viewer ? slot.written : slot.committed
}

/** The rows of a key that are seen now. */
export function slotsOf<R>(viewer: Viewer, index: Index<R>, key: string, where?: Where<R>): readonly Slot<R>[] {
  const bucket = index.buckets.get(key)
  if (bucket === undefined) return []
  return bucket.filter((slot) => {
    const row = seen(slot, viewer)
    return row !== undefined && index.keyOf(row) === key && (where === undefined || where(row))
  })
}

export function rowOf<R>(viewer: Viewer, index: Index<R>, key: string): R | undefined {
  const bucket = index.buckets.get(key)
  if (bucket === undefined) return undefined
  for (const slot of bucket) {
    const row = seen(slot, viewer)
    if (row !== undefined && index.keyOf(row) === key) return row
  }
  return undefined
}

export function rowsOf<R>(viewer: Viewer, index: Index<R>, key: string, where?: Where<R>): R[] {
  const rows: R[] = []
  for (const slot of index.buckets.get(key) ?? []) {
    const row = seen(slot, viewer)
    if (row !== undefined && index.keyOf(row) === key && (where === undefined || where(row))) rows.push(row)
  }
  return rows
}

export function allSlots<R>(viewer: Viewer, table: Pick<Table<R>, 'slots'>, where: Where<R>): readonly Slot<R>[] {
  return [...table.slots].filter((slot) => {
    const row = seen(slot, viewer)
    return row !== undefined && where(row)
  })
}

export function allRows<R>(viewer: Viewer, table: Pick<Table<R>, 'slots'>, where?: Where<R>): R[] {
  const rows: R[] = []
  for (const slot of table.slots) {
    const row = seen(slot, viewer)
    if (row !== undefined && (where === undefined || where(row))) rows.push(row)
  }
  return rows
}

export type TableSpec<R, N extends string> = {
  readonly name: string
  readonly by: Readonly<Record<N, IndexSpec<R>>>
  readonly refers?: readonly Reference<R>[]
}

/** What a table is made of, for the statements below. */
type Kept<R> = {
  readonly slots: Set<Slot<R>>
  readonly indexes: readonly Index<R>[]
  readonly arbiters: readonly Index<R>[]
  readonly refers: readonly Reference<R>[]
}

/** A table with the constraints and the waiting of PostgreSQL at READ COMMITTED. */
export function createTable<R, N extends string>(spec: TableSpec<R, N>): Table<R, N> {
  const by = {} as Record<N, Index<R>> // filled with the keys of the specification
  const indexes: Index<R>[] = []
  for (const name in spec.by) {
    const { isUnique, keyOf } = spec.by[name]
    const index: Index<R> = { isUnique, keyOf, name: `${spec.name}_${name}`, buckets: new Map() }
    by[name] = index
    indexes.push(index)
  }
  const arbiters = indexes.filter(({ isUnique }) => isUnique)
  const kept: Kept<R> = { slots: new Set(), indexes, arbiters, refers: spec.refers ?? [] }
  return {
    name: spec.name,
    by,
    slots: kept.slots,
    insert: (session, row, unless = []) => insert(kept, session, row, unless),
    update: (session, rows, where, change) => update(kept, session, rows, where, change),
    remove: (session, rows, where) => remove(kept, session, rows, where),
    async upsert(session, row, arbiter, change, where = anything) {
      const key = arbiter.keyOf(row)
      for (;;) {
        if (key === null || (await insert(kept, session, row, [arbiter]))) return row
        const [slot] = slotsOf(session, arbiter, key)
        if (slot === undefined) continue
        const [changed] = await update(kept, session, [slot], where, change)
        // A row that was deleted while we waited is none: then ours goes in.
        if (changed !== undefined || seen(slot, session) !== undefined) return changed
      }
    },
  }
}

async function insert<R>(kept: Kept<R>, session: Session, row: R, unless: readonly Index<R>[]): Promise<boolean> {
  const { arbiters, slots, refers } = kept
  const order = unless.length === 0 ? arbiters : [...unless, ...arbiters.filter((one) => !unless.includes(one))]
  // Without anybody in the way the row is written at once.
  const isFree = inTheWay(session, undefined, row, order) === undefined
  const index = isFree ? undefined : await clash(session, undefined, row, order)
  if (index !== undefined && unless.includes(index)) return false
  if (index !== undefined) throw uniqueViolation(index.name)
  const none = { committed: undefined, written: undefined, writer: undefined }
  const slot: Slot<R> = { ...none, entries: [], holders: [], queue: [] }
  slots.add(slot)
  write(kept, session, slot, row)
  for (const refer of refers) await refer(session, row)
  return true
}

async function update<R>(
  kept: Kept<R>,
  session: Session,
  rows: readonly Slot<R>[],
  where: Where<R>,
  change: (row: R) => R,
): Promise<readonly R[]> {
  const { arbiters, refers } = kept
  if (rows.length > 0) session.begin()
  const changed: R[] = []
  const twice: R[] = []
  for (const slot of rows) {
    const row = await lockRow(session, slot, where, 'no key update')
    if (row === undefined) continue
    const next = change(row)
    const moves = arbiters.some((one) => one.keyOf(row) !== one.keyOf(next))
    const index = moves ? await clash(session, slot, next, arbiters) : undefined
    if (index !== undefined) throw uniqueViolation(index.name)
    if (slot.writer === session) twice.push(next)
    write(kept, session, slot, next)
    changed.push(next)
  }
  // PostgreSQL asks again for what a row refers to when its version is of this very transaction, and locks it.
  for (const row of twice) for (const refer of refers) await refer(session, row)
  return changed
}

async function remove<R>(
  kept: Kept<R>,
  session: Session,
  rows: readonly Slot<R>[],
  where: Where<R>,
): Promise<readonly R[]> {
  if (rows.length > 0) session.begin()
  const removed: R[] = []
  for (const slot of rows) {
    const row = await lockRow(session, slot, where, 'update')
    if (row === undefined) continue
    write(kept, session, slot, undefined)
    removed.push(row)
  }
  return removed
}

function write<R>(kept: Kept<R>, session: Session, slot: Slot<R>, row: R | undefined): void {
  requireLine(session)
  session.begin()
  if (slot.writer === undefined) {
    slot.writer = session
    session.written.push((isCommitted) => end(kept, slot, isCommitted))
  }
  if (row !== undefined) for (const index of kept.indexes) enter(index, index.keyOf(row), slot)
  slot.written = row
}

function end<R>({ slots }: Kept<R>, slot: Slot<R>, isCommitted: boolean): void {
  if (isCommitted) slot.committed = slot.written
  slot.written = undefined
  slot.writer = undefined
  tidy(slot)
  if (slot.committed === undefined) slots.delete(slot)
}

/** Waits out whoever is writing one of the keys of `row`, then answers the index in which another row has it. */
async function clash<R>(
  session: Session,
  own: Slot<R> | undefined,
  row: R,
  order: readonly Index<R>[],
): Promise<Index<R> | undefined> {
  for (;;) {
    const found = inTheWay(session, own, row, order)
    if (found === undefined || 'keyOf' in found) return found
    await goOn(session, waitFor(session, found))
  }
}

const anything = (): boolean => true

function inTheWay<R>(
  session: Session,
  own: Slot<R> | undefined,
  row: R,
  order: readonly Index<R>[],
): Index<R> | Session | undefined {
  for (const index of order) {
    const found = holderOf(session, own, index, row)
    if (found !== undefined) return found === 'row' ? index : found
  }
  return undefined
}

/** Who has this key of an index: a row that is committed, or a transaction whose end decides. */
function holderOf<R>(session: Session, own: Slot<R> | undefined, index: Index<R>, row: R): 'row' | Session | undefined {
  const key = index.keyOf(row)
  if (key === null) return undefined
  const bucket = index.buckets.get(key)
  if (bucket === undefined) return undefined
  for (const slot of bucket) {
    if (slot === own) continue
    const { writer, committed, written } = slot
    if (writer === undefined || writer === session) {
      if (isUnder(index, key, seen(slot, session))) return 'row'
    } else if (isUnder(index, key, committed) || isUnder(index, key, written)) return writer
  }
  return undefined
}

function isUnder<R>(index: Index<R>, key: string, version: R | undefined): boolean {
  return version !== undefined && index.keyOf(version) === key
}

/** The row that is referred to stays for as long as the transaction does. @throws 23503 */
export function refersTo<R, P>(name: string, index: () => Index<P>, keyOf: (row: R) => string | null): Reference<R> {
  return async (session, row) => {
    const key = keyOf(row)
    if (key === null) return
    const [parent] = slotsOf(session, index(), key)
    if (parent === undefined || (await lockRow(session, parent, () => true, 'key share')) === undefined)
      throw foreignKeyViolation(name)
  }
}

function enter<R>(index: Index<R>, key: string | null, slot: Slot<R>): void {
  if (key === null) return
  for (const entry of slot.entries) if (entry.index === index && entry.key === key) return
  slot.entries.push({ index, key })
  const bucket = index.buckets.get(key)
  if (bucket === undefined) index.buckets.set(key, [slot])
  else bucket.push(slot)
}

/** What has ended is found under the keys of its committed version alone. */
function tidy<R>(slot: Slot<R>): void {
  const { committed } = slot
  const isKept = (entry: Slot<R>['entries'][number]): boolean =>
    committed !== undefined && entry.index.keyOf(committed) === entry.key
  if (slot.entries.every(isKept)) return
  slot.entries = slot.entries.filter(({ index, key }) => {
    if (committed !== undefined && index.keyOf(committed) === key) return true
    const bucket = index.buckets.get(key) ?? []
    bucket.splice(bucket.indexOf(slot), 1)
    if (bucket.length === 0) index.buckets.delete(key)
    return false
  })
}
