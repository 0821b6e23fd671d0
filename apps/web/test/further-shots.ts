import type { Page } from 'playwright-core'
import { voucherMessages } from '../src/features/metered/voucher-messages.ts'
import { meteredMessages } from '../src/features/metered/messages.ts'
import { cashOutMessages } from '../src/features/money/cash-out/cash-out-messages.ts'
import { walletMessages } from '../src/features/money/wallet-messages.ts'
import { inviteMessages } from '../src/features/people/invite-messages.ts'
import { columns } from '../src/features/publish/many/read-tasks.ts'
import { questionMessages } from '../src/features/questions/messages.ts'
import type { FurtherWords } from './further-words.ts'
import type { GuideScene } from './guide-scene.ts'
import type { Person } from './person.ts'

/** A screen as it is after a tap, or with more behind it than its route says. */
export type FurtherShot = {
  readonly name: string
  readonly person: Person
  readonly address: string
  readonly further?: (page: Page) => Promise<void>
}

type Known = {
  readonly guide: GuideScene
  readonly arbiter: Person
  readonly tongue: 'en' | 'es'
  readonly words: FurtherWords
  readonly workerId: string
  readonly disputeId: string
  readonly sessionIds: readonly string[]
}

/** Every name begins with `further-`, so that they can be asked for alone. */
export function furtherShots(known: Known): readonly FurtherShot[] {
  return [...sessions(known), ...talk(known), ...money(known), ...disputes(known)].map((shot) => ({
    ...shot,
    name: `further-${shot.name}`,
  }))
}

export const furtherNames = [
  ...['sessions-worker', 'session-new', 'session-running', 'session-clock', 'session-signed', 'session-unfunded'],
  ...['session-open-channel', 'questions-ask', 'questions-answer', 'messages-worker', 'messages-publisher', 'invite'],
  ...['extend', 'cash-out', 'cash-out-filled', 'save-search', 'publish-many', 'disputes-arbiter', 'dispute-arbiter'],
  ...['dispute-publisher', 'top-up', 'not-found', 'crashed', 'tools'],
].map((name) => `further-${name}`)

function sessions({ guide: { publisher, worker }, sessionIds, workerId, tongue }: Known): readonly FurtherShot[] {
  const [running = '', signed = '', unfunded = ''] = sessionIds
  const say = meteredMessages[tongue]
  return [
    { name: 'sessions-worker', person: worker, address: '/sessions?role=worker' },
    { name: 'session-new', person: publisher, address: `/sessions?with=${workerId}` },
    { name: 'session-running', person: publisher, address: `/sessions?id=${running}` },
    { name: 'session-clock', person: worker, address: `/sessions?role=worker&id=${running}` },
    {
      name: 'session-signed',
      person: publisher,
      address: `/sessions?id=${signed}`,
      further: async (page) => {
        const desk = page.getByRole('region', { name: voucherMessages[tongue].title })
        await desk.getByRole('button', { name: say.testWallet }).click()
        await desk.getByRole('button', { name: voucherMessages[tongue].letGoOn }).waitFor()
      },
    },
    { name: 'session-unfunded', person: publisher, address: `/sessions?id=${unfunded}` },
    {
      name: 'session-open-channel',
      person: publisher,
      address: `/sessions?id=${unfunded}`,
      further: async (page) => {
        await page.getByRole('button', { name: say.fund }).click()
        await page.getByRole('button', { name: say.testWallet }).click()
        await page.getByRole('button', { name: say.sign }).waitFor()
      },
    },
  ]
}

function talk({ guide, workerId, tongue }: Known): readonly FurtherShot[] {
  const { publisher, worker, openTask, assignedTask } = guide
  const [ask, invite] = [questionMessages[tongue], inviteMessages[tongue]]
  return [
    {
      name: 'questions-ask',
      person: worker,
      address: `/tasks/${openTask}`,
      further: (page) => page.getByRole('button', { name: ask.ask }).click(),
    },
    {
      name: 'questions-answer',
      person: publisher,
      address: `/my/tasks/${openTask}`,
      further: (page) => page.getByRole('button', { name: ask.answer }).first().click(),
    },
    { name: 'messages-worker', person: worker, address: `/tasks/${assignedTask}` },
    { name: 'messages-publisher', person: publisher, address: `/my/tasks/${assignedTask}` },
    {
      name: 'invite',
      person: publisher,
      address: `/people/${workerId}`,
      further: (page) => page.getByRole('button', { name: invite.invite }).click(),
    },
    { name: 'extend', person: publisher, address: `/my/tasks/${openTask}?extend=1` },
  ]
}

function money({ guide: { publisher, worker }, tongue, words }: Known): readonly FurtherShot[] {
  const openSheet = (page: Page): Promise<void> =>
    page.getByRole('button', { name: walletMessages[tongue].cashOut }).click()
  return [
    { name: 'cash-out', person: worker, address: '/earnings', further: openSheet },
    {
      name: 'cash-out-filled',
      person: worker,
      address: '/earnings',
      further: async (page) => {
        await openSheet(page)
        const sheet = page.getByRole('dialog')
        await sheet.getByLabel(cashOutMessages[tongue].to).fill(`0x${'5a'.repeat(20)}`)
        await sheet.getByRole('button', { name: cashOutMessages[tongue].all }).click()
      },
    },
    {
      name: 'top-up',
      person: worker,
      address: '/earnings',
      further: (page) => page.getByRole('button', { name: walletMessages[tongue].topUp }).click(),
    },
    { name: 'not-found', person: worker, address: '/no/such/screen' },
    {
      name: 'crashed',
      person: worker,
      address: '/leaderboard',
      further: async (page) => {
        const read = '**/api/v1/reputation/leaderboard**'
        await page.route(read, (route) => route.fulfill({ json: {} }))
        await page.reload()
        await page.getByRole('main').getByRole('alert').waitFor()
        await page.unroute(read)
      },
    },
    { name: 'tools', person: worker, address: '/account/tools' },
    { name: 'save-search', person: publisher, address: '/notifications?save=1&q=gate&min=3&near=40.42,-3.69' },
    {
      name: 'publish-many',
      person: publisher,
      address: '/publish/many',
      further: async (page) => {
        const lines = [columns.slice(0, 7).join(','), ...words.rows].join('\n')
        await page
          .locator('main input[type="file"]')
          .setInputFiles({ name: 'tasks.csv', mimeType: 'text/csv', buffer: Buffer.from(lines) })
        await page.locator('main h2').first().waitFor()
      },
    },
  ]
}

function disputes({ guide: { publisher }, arbiter, disputeId }: Known): readonly FurtherShot[] {
  return [
    { name: 'disputes-arbiter', person: arbiter, address: '/disputes?as=arbiter' },
    { name: 'dispute-arbiter', person: arbiter, address: `/disputes/${disputeId}` },
    { name: 'dispute-publisher', person: publisher, address: `/disputes/${disputeId}` },
  ]
}
