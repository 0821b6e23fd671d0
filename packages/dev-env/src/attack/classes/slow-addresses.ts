import { setTimeout as pause } from 'node:timers/promises'
import { createTally, type AttackClass } from '../attack-class.ts'
import { startListener, startMute } from '../listener.ts'
import { aTask, idOf, newParty } from '../market.ts'
import { watchTask } from '../watch-task.ts'
import { becomes } from '../waves.ts'

const addresses = 24
const perAddress = 4
const mostMs = 5_000

/** Push addresses that never answer, and ones that are no place to post to. */
export const slowAddresses: AttackClass = {
  name: 'slow push addresses',
  on: 'own',
  held: '4 posts at once to one address, 32 of one wallet; the rest waits behind its own; headers hold no line breaks',
  async attack(target) {
    const tally = createTally()
    const publisher = await newParty(target)
    await using listener = await startListener()
    await using mute = await startMute()
    const [slow, quick] = [
      idOf(await publisher.signed('POST', '/api/v1/tasks', aTask())),
      idOf(await publisher.signed('POST', '/api/v1/tasks', aTask())),
    ]
    for (const url of [
      'https://169.254.169.254/latest',
      'https://10.0.0.1/',
      'https://[fd00::1]/',
      'https://user:pw@example.com/',
      'ftp://example.com/x',
    ]) {
      tally.attempt(`${url} is taken for a push address`, isRefused(await watchTask(publisher, quick, url)))
    }
    for (const token of ['a\r\nx-evil: 1', 'a\nb', 'a\u0000b', 'caf\u00e9']) {
      tally.attempt(
        `a token ${JSON.stringify(token)}`,
        isRefused(await watchTask(publisher, quick, listener.url, { token })),
      )
      tally.attempt(
        `credentials ${JSON.stringify(token)}`,
        isRefused(
          await watchTask(publisher, quick, listener.url, {
            authentication: { schemes: ['Bearer'], credentials: token },
          }),
        ),
      )
    }
    for (let at = 0; at < addresses; at += 1)
      await watchTask(publisher, slow, `${mute.url}/${String(at)}`, { id: `slow-${String(at)}` })
    await publisher.signed('PUT', `/api/v1/tasks/${slow}`, { title: 'Photograph the slow gate' })
    tally.attempt(
      'the slow address was never posted to, so nothing was tried',
      await becomes(() => mute.held() >= perAddress, mostMs),
    )
    await watchTask(publisher, quick, listener.url)
    await publisher.signed('PUT', `/api/v1/tasks/${quick}`, { title: 'Photograph the other gate' })
    const isTold = await becomes(() => listener.heard() > 0, mostMs)
    await pause(500)
    tally.many('posts to one address beyond its lane', addresses - perAddress, mute.held() - perAddress)
    tally.attempt('others are not told while they wait', isTold)
    // Whoever attacks cleans up: the posts would be tried again for as long as the instance lives.
    await publisher.signed('DELETE', `/api/v1/tasks/${slow}`)
    return tally.score()
  },
}

const isRefused = (reply: { readonly body: Readonly<Record<string, unknown>> }): boolean =>
  reply.body['error'] !== undefined
