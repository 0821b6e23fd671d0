import { expect, test } from 'vitest'
import { decideConfig } from '../src/index.ts'

const env = {
  DATABASE_URL: 'postgres://127.0.0.1/gateway',
  GATEWAY_RPC: 'http://127.0.0.1:1',
  GATEWAY_ENDPOINTS: `/a http://127.0.0.1:1 1 ${'1'.repeat(32)}`,
}

test('a wait that a timer cannot keep is refused: it would be over at once', () => {
  expect(decideConfig({ ...env, GATEWAY_UPSTREAM_MS: '86400000/86400000' }).upstreamMs.stream).toBe(86_400_000)
  for (const wait of ['2147483648/600000', '30000/2147483648', '30000/86400001'])
    expect(() => decideConfig({ ...env, GATEWAY_UPSTREAM_MS: wait })).toThrow('whole numbers up to 86400000')
})
