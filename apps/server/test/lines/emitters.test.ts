import { expect, test } from 'vitest'
import { send } from '../dispatch/send.ts'
import { startTinyService } from '../dispatch/tiny-service.ts'

/** What emits an error has a listener, whatever it is; `tools/emitters.test.ts` looks for those that have none. */

test('a connection that cannot be accepted is told of, and the next one is answered', async () => {
  await using service = await startTinyService()
  service.http.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
  expect(service.faults).toEqual([expect.objectContaining({ code: 'EMFILE' })])
  expect((await send(service.url, 'GET', '/things')).status).toBe(200)
})
