import { randomUUID } from 'node:crypto'
import type { Notice, Notifier } from '@ergon/core'
import { expect, test } from 'vitest'

/** A way to tell workers, and what arrived at a wallet that can be reached that way. */
export type NotifierUnderTest = AsyncDisposable & {
  readonly notifier: Notifier
  readonly reachable: string
  arrived(): Promise<readonly string[]>
}

export const aNotice = (wallet: string, change: Partial<Notice> = {}): Notice => ({
  id: `${randomUUID()}:notice`,
  kind: 'assigned',
  wallet,
  taskId: randomUUID(),
  title: 'You were assigned',
  message: 'You were assigned to “Photograph the gate”. You can begin.',
  at: new Date(),
  ...change,
})

/** What every notifier promises (decision 0067). */
export function notifierSuite(open: () => Promise<NotifierUnderTest>): void {
  test('a worker who can be reached is told title, text and task, in order', async () => {
    await using one = await open()
    const notices = [
      aNotice(one.reachable),
      aNotice(one.reachable, { title: 'You were paid', message: 'You were paid 9 US dollars.' }),
    ]
    for (const notice of notices) expect(await one.notifier.notify(notice)).toBe('told')
    const texts = await one.arrived()
    expect(texts).toHaveLength(2)
    for (const [index, { title, message, taskId }] of notices.entries())
      for (const part of [title, message, taskId]) expect(texts[index]).toContain(part)
  })

  test('a worker who cannot be reached is no failure, and nobody else hears of it', async () => {
    await using one = await open()
    expect(await one.notifier.notify(aNotice(`0x${'ee'.repeat(20)}`))).toBe('unreachable')
    expect(await one.notifier.notify(aNotice(one.reachable))).toBe('told')
    expect(await one.arrived()).toHaveLength(1)
  })
}
