import { describe, expect, test } from 'vitest'
import { bodyHash } from '../../src/dispatch/body-hash.ts'

describe('two bodies', () => {
  test.each([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: { c: 1, d: 2 } }, { a: { d: 2, c: 1 } }, true],
    [{ a: [{ c: 1, d: 2 }] }, { a: [{ d: 2, c: 1 }] }, true],
    [{ a: [1, 2] }, { a: [2, 1] }, false],
    [{ a: 1 }, { a: '1' }, false],
    [{ a: null }, {}, false],
    [{ a: [] }, { a: {} }, false],
    [{ a: 1, approval: 'x', idempotency_key: 'k' }, { a: 1 }, true],
  ])('%j and %j are the same request: %s', (one, other, isSame) => {
    expect(bodyHash(one) === bodyHash(other)).toBe(isSame)
  })
})
