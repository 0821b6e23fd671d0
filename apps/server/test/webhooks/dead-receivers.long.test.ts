import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { caughtUp, submittedJob, worker } from '../market/stage.ts'
import { openHookedStage } from './hooked-stage.ts'
import { startReceiver } from './receiver.ts'

test('a thousand deliveries to receivers that never answer hold up none to another', async () => {
  await using hooked = await openHookedStage()
  await using well = await startReceiver()
  await hooked.active(well.url, ['*'], worker.wallet)
  let isSilent = false
  const dead = createServer((_request, response) => {
    if (!isSilent) response.end('ok')
  })
  await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve))
  const { port } = dead.address() as AddressInfo // it listens on TCP
  const ids: string[] = []
  for (let owner = 0; owner < 20; owner += 1) {
    const wallet = `0x${owner.toString(16).padStart(40, 'a')}`
    const { webhook } = await hooked.webhooks.create(wallet, {
      ...{ url: `http://127.0.0.1:${String(port)}/${String(owner)}`, events: ['*'], description: null },
      signsEd25519: false,
    })
    ids.push(webhook.id)
  }
  const { pool } = hooked.stage
  await pool.query("update webhooks set status = 'active' where id = any($1)", [ids])
  await pool.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event_type, kind, body, status, due_at, created_at)
      select gen_random_uuid(), id, gen_random_uuid(), 'task.published', 'event', '{}', 'pending', '-infinity', now()
      from unnest($1::uuid[]) as id, generate_series(1, 50)`,
    [ids],
  )
  isSilent = true
  await hooked.delivery.begin()
  await submittedJob(hooked.stage)
  await caughtUp(hooked.stage)
  while ((await hooked.delivery.fanOut()) > 0);
  const startedAt = performance.now()
  while (well.events().length === 0 && performance.now() - startedAt < 5_000) {
    await hooked.delivery.begin()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(well.events().length).toBeGreaterThan(0)
  dead.closeAllConnections()
  dead.close()
})
