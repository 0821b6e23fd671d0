import { describe, expect, test } from 'vitest'
import { changeWebhook, requireVerified, verifyWebhook, type Webhook } from './webhook.ts'

const at = new Date('2026-11-21T12:00:00Z')
const before = new Date('2026-11-20T12:00:00Z')
const failing: Webhook = {
  id: 'w',
  owner: 'o',
  url: 'https://one.test/',
  events: ['*'],
  description: null,
  signsEd25519: false,
  status: 'disabled',
  disabledReason: 'failing',
  createdAt: before,
  updatedAt: before,
  verifiedAt: before,
  lastAttemptAt: before,
  failingSince: before,
  failureCount: 9,
  attemptCount: 10,
  successCount: 1,
}
const healthy = { disabledReason: null, failingSince: null, failureCount: 0 }
const unproven = expect.objectContaining({ code: 'WEBHOOK_NOT_VERIFIED' }) as Error

describe('an endpoint', () => {
  test('keeps what was proved of it while its URL stays', () => {
    expect(changeWebhook(failing, { description: 'mine' }, at)).toEqual({
      ...failing,
      description: 'mine',
      updatedAt: at,
    })
    expect(changeWebhook(failing, { url: failing.url }, at)).toEqual({ ...failing, updatedAt: at })
  })

  test('has to be proved again at another URL, and begins there in good health', () => {
    const moved = {
      ...failing,
      ...healthy,
      url: 'https://two.test/',
      status: 'unverified',
      verifiedAt: null,
      updatedAt: at,
    }
    expect(changeWebhook(failing, { url: 'https://two.test/' }, at)).toEqual(moved)
    expect(() => changeWebhook(failing, { url: 'https://two.test/', status: 'active' }, at)).toThrow(unproven)
  })

  test('is made active in good health, and paused as it is', () => {
    expect(changeWebhook(failing, { status: 'active' }, at)).toEqual({
      ...failing,
      ...healthy,
      status: 'active',
      updatedAt: at,
    })
    expect(changeWebhook(failing, { status: 'paused' }, at)).toEqual({ ...failing, status: 'paused', updatedAt: at })
  })

  test.each([
    ['paused', 'paused'],
    ['disabled', 'active'],
    ['unverified', 'active'],
  ] as const)('that is %s and proved is %s', (status, then) => {
    expect(verifyWebhook({ ...failing, status }, at)).toEqual({
      ...failing,
      ...healthy,
      status: then,
      verifiedAt: at,
      updatedAt: at,
    })
  })

  test('is sent nothing but a challenge until it is proved', () => {
    expect(requireVerified(failing)).toBe(failing)
    expect(() => requireVerified({ ...failing, verifiedAt: null })).toThrow(unproven)
  })
})
