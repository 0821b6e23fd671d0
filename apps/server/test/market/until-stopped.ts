import { randomBytes } from 'node:crypto'
import { createMarket, type Market } from '@ergon/core'
import { createTestIds } from '@ergon/core/testing'
import type { Pool } from 'pg'
import { expect } from 'vitest'
import { createPool, createPostgresStore } from '../../src/adapters/postgres/index.ts'
import { findings, ledgerDisagreements, type Stage } from './stage.ts'
import { createStopper, type Stopper } from './stops.ts'

let processes = 100
/** Other files stop processes of their own on the same PostgreSQL, and hang up by name as well. */
const here = randomBytes(6).toString('hex')

type Process = { readonly pool: Pool; readonly stopper: Stopper }
/** `refusal` is why the work failed before the stop, and null otherwise. */
type End = { readonly finished: boolean; readonly refusal: unknown }

/** A market of a process of its own, which dies with its connections at await `stopAt`. */
export async function runUntilStopped(
  stage: Stage,
  stopAt: number,
  work: (market: Market, process: Process) => Promise<unknown>,
): Promise<End & { readonly stopper: Stopper }> {
  processes += 1
  const name = `doomed_${here}_${String(processes)}`
  const url = new URL(stage.databaseUrl)
  url.searchParams.set('application_name', name)
  const pool = createPool(url.href, { onError: () => undefined })
  const stopper = createStopper(stopAt)
  const { deps } = stage
  const market = createMarket({
    ...deps,
    ids: createTestIds(processes),
    store: stopper.wrapStore(createPostgresStore(pool, { identityNetwork: 'localnet' })),
    rails: (network) => stopper.wrap(deps.rails(network)),
    signatures: stopper.wrap(deps.signatures),
    evidence: stopper.wrap(deps.evidence),
    ratings: stopper.wrap(deps.ratings),
  })
  const running = work(market, { pool, stopper }).then(
    (): End => ({ finished: true, refusal: null }),
    (refusal: unknown): End => ({ finished: true, refusal }),
  )
  const end = await Promise.race([running, stopper.stopped.then((): End => ({ finished: false, refusal: null }))])
  if (end.finished) await pool.end()
  else await hangUp(stage, name)
  return { stopper, ...end }
}

/**
 * A dead process takes its connections with it, one that is just being opened included: what it had not committed is
 * undone.
 */
async function hangUp(stage: Stage, application: string): Promise<void> {
  for (let quiet = 0; quiet < 2;) {
    const { rowCount } = await stage.pool.query(
      'select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = $1',
      [application],
    )
    quiet = rowCount === 0 ? quiet + 1 : 0
  }
}

export type Stops = { readonly from: number; readonly step: number }

/** Tries every await in turn, or every so manyth, until the work runs through; answers where it first did. */
export async function stopEverywhere(
  stage: Stage,
  once: (stopAt: number) => Promise<boolean>,
  { from, step }: Stops = { from: 1, step: 1 },
): Promise<number> {
  for (let stopAt = from; stopAt < 400; stopAt += step) {
    if (await once(stopAt)) {
      expect(await findings(stage)).toEqual([])
      return stopAt - 1
    }
    expect(await ledgerDisagreements(stage), `after a stop at await ${String(stopAt)}`).toEqual([])
  }
  throw new Error('the work did not run through within 400 awaits')
}
