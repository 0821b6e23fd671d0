import { queryDatabase } from '@ergon/dev-env'
import { startCluster } from '@ergon/dev-env/testing'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startRig } from '../adapters/rig.ts'
import { send } from '../dispatch/send.ts'
import { aTask, eventually, expectStatus } from '../http/live-market.ts'
import { startServer } from '../lines/server-process.ts'

/** A password of the database that is changed under processes that run, as the guide for operators has it. */

const patienceMs = 240_000
/** Longer than a pool keeps a connection that nobody uses. */
const idleMs = 12_000

async function guardedCluster() {
  const cluster = await startCluster({
    access: ['host all ergon 127.0.0.1/32 trust', 'host all all 127.0.0.1/32 scram-sha-256'],
  })
  onTestFinished(() => cluster[Symbol.asyncDispose]())
  const ask = (text: string) => queryDatabase(cluster.url('postgres'), text)
  const roles = ['market', 'payments']
  for (const role of roles) {
    await ask(`create role ${role} login password 'old'`)
    await ask(`create database ${role} owner ${role} template template0`)
  }
  return {
    url: (role: string, password: string) => cluster.url(role).replace('//ergon@', `//${role}:${password}@`),
    async change(password: string) {
      for (const role of roles) await ask(`alter role ${role} password '${password}'`)
    },
  }
}

test(
  'alarm connections_refused: what is connected goes on, it is told, and ends with a restart of each process in turn',
  { timeout: patienceMs },
  async () => {
    const cluster = await guardedCluster()
    const rig = await startRig({ DATABASE_URL: cluster.url('payments', 'old') })
    onTestFinished(() => rig[Symbol.asyncDispose]())
    const first = await startServer(cluster.url('market', 'old'), { rig })
    const publisher = await first.party(0n)
    const ready = async (url: string): Promise<unknown> => (await send(url, 'GET', '/readyz')).body
    const health = async (): Promise<unknown> => (await fetch(`${rig.facilitatorUrl}/health`)).json()
    await eventually(() => ready(first.url), (body) => (body as { status: string }).status === 'ready') // prettier-ignore

    await cluster.change('new')
    await pause(idleMs)
    const told = { status: 'degraded', reasons: ['connections_refused'] }
    const codes = new Set<string>()
    await eventually(
      async () => {
        // More at once than there are connections left.
        const replies = await Promise.all(
          Array.from({ length: 8 }, () => publisher.call('POST', '/api/v1/tasks', aTask())),
        )
        for (const { status, body } of replies) codes.add(`${String(status)} ${String(body.code ?? '')}`)
        return JSON.stringify(await ready(first.url))
      },
      (body) => body === JSON.stringify(told),
    )
    expect(codes).toContain('201 ')
    expect([...codes].filter((code) => !/^(201|503) /.test(code))).toEqual([])
    expect(first.said()).toContain('password authentication failed for user')
    await expect.poll(health, { timeout: 60_000 }).toMatchObject(told)

    // One after the other: they agree on all that servers have to share.
    const second = await startServer(cluster.url('market', 'new'), { rig })
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    const again = await startServer(cluster.url('market', 'new'), { rig })
    for (const server of [second, again]) {
      expectStatus(await server.known(publisher).call('POST', '/api/v1/tasks', aTask()), 201)
      expect(await ready(server.url)).toEqual({ status: 'ready', reasons: [] })
    }
  },
)
