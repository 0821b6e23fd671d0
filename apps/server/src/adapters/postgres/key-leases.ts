import type { Pool } from 'pg'
import type { KeyedCall } from './keyed-call.ts'

const renewal = `update operations set lease_until = clock_timestamp() + $5 * interval '1 millisecond'
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as held (identity, key, operation, token)
  where operations.identity = held.identity and operations.key = held.key and operations.operation = held.operation
    and operations.token = held.token::uuid and operations.state <> 'done'`

const leastMs = 200

/**
 * Renews the keys of running calls three times a lease. So a lease may be short: a call may take as long as it needs,
 * and whoever sends a dead process's call again is not held up for longer than one lease.
 */
export function createKeyLeases(pool: Pool, leaseMs: number) {
  const running = new Set<KeyedCall>()
  let timer: NodeJS.Timeout | undefined
  const plan = (): void => {
    if (timer === undefined && running.size > 0) timer = setTimeout(renew, Math.max(leastMs, leaseMs / 3)).unref()
  }
  const renew = (): void => {
    const calls = [...running]
    const of = (field: 'identity' | 'key' | 'operation' | 'token'): readonly string[] =>
      calls.map((call) => call[field])
    const values = [of('identity'), of('key'), of('operation'), of('token'), leaseMs]
    // A renewal that fails is made up for by the next one; a lease that lapsed meanwhile may have been taken over.
    const written =
      calls.length === 0 ? Promise.resolve() : pool.query({ name: 'operation-renew', text: renewal, values })
    void written
      .catch(() => undefined)
      .then(() => {
        timer = undefined
        plan()
      })
  }
  return async <T>(call: KeyedCall, work: () => Promise<T>): Promise<T> => {
    running.add(call)
    plan()
    try {
      return await work()
    } finally {
      running.delete(call)
    }
  }
}
