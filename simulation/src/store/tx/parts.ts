import type { Tx } from '@ergon/core'
import type { Disk } from '../engine/database.ts'
import type { Run } from '../engine/line.ts'

/** What the methods of a transaction stand on. */
export type TxDeps = { readonly disk: Disk; readonly run: Run }
export type Part<K extends keyof Tx> = Pick<Tx, K>
