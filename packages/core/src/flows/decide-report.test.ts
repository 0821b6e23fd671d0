import type { ReportAction } from '@ergon/contract'
import { describe, expect, test } from 'vitest'
import { refusalOf, scriptedDeps, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import { decideReport } from './decide-report.ts'
import { requireNotBanned, setBan } from './set-ban.ts'

const now = scriptedNow
const act = { actor: 'operator', reason: 'It is not allowed here.', requestId: 'request' }
const id = (count: number): string => `01950000-0000-7000-8000-0000000f424${String(count)}`
const ban = { wallet: 'wallet', reason: act.reason, actor: 'operator', bannedAt: now }

function stage(report: object | null, script: Script = {}) {
  const adminReport = report === null ? null : { targetId: 'target', wallet: 'wallet', state: 'open', ...report }
  return scriptedDeps({
    adminReport,
    putBan: true,
    takeDownEvidence: { photo: 'aa', gps: 'bb' },
    takeDownPicture: 'cc',
    ...script,
  })
}
const line = (count: number, action: string, subject: string, before: object, after: object) => [
  'addAudit',
  { ...act, id: id(count), at: now, action, subject, before, after },
]
const decided = (state: string) => [
  'decideReport',
  { reportId: 'report', state, note: act.reason, actor: 'operator', at: now },
]
const reported = (count: number, action: string, target: string, before: string, state: string, more: object = {}) =>
  line(count, 'report.decide', 'report', { state: before }, { state, action, target, target_id: 'target', ...more })

describe('a report is decided, and its line is written with it', () => {
  test.each<[ReportAction, string, string, string, readonly unknown[][]]>([
    ['note', 'task', 'open', 'open', []],
    ['note', 'task', 'hidden', 'hidden', []],
    ['dismiss', 'message', 'open', 'dismissed', []],
    ['hide', 'task', 'open', 'hidden', [['setHidden', 'target', true, now]]],
    ['hide', 'listing', 'open', 'hidden', [['setHidden', 'target', true, now]]],
    ['show', 'task', 'hidden', 'open', [['setHidden', 'target', false, now]]],
    ['show', 'listing', 'hidden', 'open', [['setHidden', 'target', false, now]]],
  ])('%s of a %s that is %s: %s', async (action, target, before, state, written) => {
    const { deps, asked } = stage({ target, state: before })
    expect(await decideReport(deps, 'report', action, act)).toMatchObject({ targetId: 'target' })
    expect(asked).toEqual([
      ['adminReport', 'report'],
      ['transaction'],
      ...written,
      decided(state),
      reported(1, action, target, before, state),
      ['adminReport', 'report'],
    ])
  })

  test.each([true, false])('a ban has a line of its own, where it is new: %s', async (isNew) => {
    const { deps, asked } = stage({ target: 'task' }, { putBan: isNew })
    await decideReport(deps, 'report', 'ban', act)
    expect(asked.slice(2, -1)).toEqual([
      ['putBan', ban],
      ...(isNew ? [line(1, 'wallet.ban', 'wallet', { banned: false }, { banned: true })] : []),
      decided('banned'),
      reported(isNew ? 2 : 1, 'ban', 'task', 'open', 'banned'),
    ])
  })

  test('evidence is taken down: the files of it, and the log keeps their hashes', async () => {
    const { deps, asked, of } = stage({ target: 'submission' })
    await decideReport(deps, 'report', 'take_down', act)
    const [[target, types, at] = []] = of('takeDownEvidence')
    expect([target, at]).toEqual(['target', now])
    expect(types).toContain('photo')
    expect(types).toContain('video')
    expect(types).not.toContain('gps')
    expect(types).not.toContain('text_response')
    expect(asked.slice(3, -1)).toEqual([
      decided('taken_down'),
      reported(1, 'take_down', 'submission', 'open', 'taken_down', { sha256_photo: 'aa', sha256_gps: 'bb' }),
    ])
  })

  test.each([
    ['a picture', 'cc', { picture: 'cc' }],
    ['no picture', null, {}],
  ])('of a worker who shows %s it is the picture that is taken down', async (_what, takeDownPicture, kept) => {
    const { deps, asked } = stage({ target: 'worker' }, { takeDownPicture })
    await decideReport(deps, 'report', 'take_down', act)
    expect(asked.slice(2, -1)).toEqual([
      ['takeDownPicture', 'target'],
      decided('taken_down'),
      reported(1, 'take_down', 'worker', 'open', 'taken_down', kept),
    ])
  })

  const impossible = (constraint: string, received: string) => [
    'VALIDATION_FAILED',
    { field: 'action', constraint, received },
  ]
  test.each<[ReportAction, object | null, unknown]>([
    ['note', null, ['NOT_FOUND', { report_id: 'report' }]],
    ['hide', { target: 'submission' }, impossible('only a task or a listing can be hidden or shown', 'hide')],
    ['show', { target: 'message' }, impossible('only a task or a listing can be hidden or shown', 'show')],
    [
      'take_down',
      { target: 'task' },
      impossible('only a submission has evidence, and only a worker a picture', 'take_down'),
    ],
    ['ban', { target: 'task', wallet: null }, impossible('the wallet that answered for it is gone', 'ban')],
  ])('%s of %j is refused', async (action, report, refused) => {
    const { deps, of } = stage(report)
    expect(await refusalOf(() => decideReport(deps, 'report', action, act))).toEqual(refused)
    expect(of('transaction')).toEqual([])
  })
  test('a note is taken where the wallet is gone', async () => {
    expect(
      await refusalOf(() => decideReport(stage({ target: 'task', wallet: null }).deps, 'report', 'note', act)),
    ).toBe(null)
  })
})

describe('a wallet is banned', () => {
  test('by its address, in lower case, and once', async () => {
    const { deps, asked } = scriptedDeps({ putBan: true, adminWorker: null })
    expect(await setBan(deps, '0xABC', true, act)).toEqual({ wallet: '0xabc', worker: null, ban: null })
    expect(asked).toEqual([
      ['transaction'],
      ['putBan', { ...ban, wallet: '0xabc' }],
      line(1, 'wallet.ban', '0xabc', { banned: false }, { banned: true }),
      ['adminWorker', '0xabc'],
    ])
    const again = scriptedDeps({ putBan: false, adminWorker: { wallet: '0xabc' } })
    expect(await setBan(again.deps, '0xabc', true, act)).toEqual({ wallet: '0xabc' })
    expect(again.of('addAudit')).toEqual([])
  })
  test('or free again, by the id of its worker', async () => {
    const lifted = { reason: 'before', actor: 'another' }
    const { deps, asked } = scriptedDeps({ worker: { wallet: 'wallet' }, removeBan: lifted })
    await setBan(deps, 'executor', false, act)
    expect(asked).toEqual([
      ['worker', 'executor'],
      ['transaction'],
      ['removeBan', 'wallet'],
      line(1, 'wallet.unban', 'wallet', { banned: true, reason: 'before', banned_by: 'another' }, { banned: false }),
      ['adminWorker', 'wallet'],
    ])
    const none = scriptedDeps({ worker: { wallet: 'wallet' }, removeBan: null })
    await setBan(none.deps, 'executor', false, act)
    expect(none.of('addAudit')).toEqual([])
  })
  test('where there is one', async () => {
    expect(await refusalOf(() => setBan(scriptedDeps({ worker: null }).deps, 'executor', true, act))).toEqual([
      'WORKER_NOT_FOUND',
      { executor_id: 'executor' },
    ])
  })
  test('and begins no work', async () => {
    const banned = (isBanned: boolean) => refusalOf(() => requireNotBanned(scriptedDeps({ isBanned }).deps, 'wallet'))
    expect([await banned(true), await banned(false)]).toEqual([['WORKER_BLOCKED', { wallet: 'wallet' }], null])
  })
})
