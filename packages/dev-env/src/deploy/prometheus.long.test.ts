import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localChainId, mintTestUsd } from '@ergon/contracts'
import { lowerAddress } from '@ergon/protocols'
import { expect, test } from 'vitest'
import { startConstellation } from '../constellation/constellation.ts'
import { freePort } from '../ports.ts'
import { drawJob } from '../storm/jobs/job.ts'
import { playJob } from '../storm/jobs/play-job.ts'
import { seededRandom } from '../storm/random.ts'
import { checkMetrics } from '../testing/promtool.ts'
import { startPrometheus } from './prometheus.ts'

test('Prometheus with ergon.rules.yml is silent during a job, names a facilitator that died, and is silent again', async () => {
  await using parts = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'ergon-prometheus-'))
  parts.defer(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  const targets = { server: await freePort(), facilitator: await freePort() }
  const constellation = parts.use(
    await startConstellation({
      ephemeral: true,
      env: {
        server: { SVC_METRICS_PORT: String(targets.server) },
        facilitator: { FACILITATOR_METRICS_PORT: String(targets.facilitator) },
      },
    }),
  )
  const prometheus = parts.use(await startPrometheus({ folder, port: await freePort(), targets }))
  await expect.poll(prometheus.reached, { timeout: 30_000 }).toEqual(['ergon-facilitator', 'ergon-server'])

  const job = { ...drawJob(seededRandom(7), 1), kind: 'paid', dustAtomic: 0n, isPatient: true } as const
  await mintTestUsd(constellation.chain.rpcUrl, lowerAddress(job.payer.address), job.mintedAtomic)
  const { serverUrl = '', adminKeys } = constellation.record()
  const ground = {
    url: serverUrl,
    chainId: localChainId,
    adminKey: adminKeys.server,
    passDeadline: async () => undefined,
  }
  const played = await playJob(ground, job, performance.now() + 60_000)
  expect([played.isDone, played.failure]).toEqual([true, undefined])
  for (const port of Object.values(targets))
    expect(checkMetrics(await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text())).toBe('')
  expect(await prometheus.firing()).toEqual([])

  await constellation.service('facilitator').kill()
  await expect
    .poll(prometheus.firing, { timeout: 60_000, interval: 500 })
    .toEqual(['facilitator_unreachable ergon-server', 'no_answer ergon-facilitator'])
  await constellation.restart('facilitator')
  await expect.poll(prometheus.firing, { timeout: 60_000, interval: 500 }).toEqual([])
}, 240_000)
