import type { Tx } from '@ergon/core'
import type { QueryResultRow } from 'pg'
import type { TransactionLine } from './transaction-line.ts'

/** Asks on the connection of the transaction. */
export type Query = <R extends QueryResultRow>(text: string, values: unknown[]) => Promise<R[]>
/** The first row of an answer. */
export type First = <R extends QueryResultRow>(text: string, values: unknown[]) => Promise<R | undefined>
/** Says what has no answer on the connection of the transaction, which goes on at once. */
export type Tell = TransactionLine['tell']
/** A part of what a transaction offers. */
export type Part<K extends keyof Tx> = Pick<Tx, K>
