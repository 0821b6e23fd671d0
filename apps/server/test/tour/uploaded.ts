import { photo } from '../files/photos.ts'
import { send } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { expectStatus } from '../http/live-market.ts'
import type { Scene } from './scene.ts'

/** A photo that the worker of a fresh task uploaded and has not handed in yet. */
export async function uploaded({
  market,
  worker,
  accepted,
}: Scene): Promise<{ readonly taskId: string; readonly publicUrl: string; readonly key: string }> {
  const { taskId } = await accepted({ evidence_required: ['photo'] })
  const jpeg = await photo('image/jpeg')
  const file = `evidence_type=photo&content_type=image/jpeg&content_length=${String(jpeg.length)}`
  const { body } = expectStatus(
    await worker.call('GET', `/api/v1/evidence/presign-upload?task_id=${taskId}&${file}`),
    200,
  )
  const { pathname, search } = new URL(String(body['upload_url']))
  expectStatus(
    await send(market.url, 'PUT', pathname + search, { host: authority, 'content-type': 'image/jpeg' }, jpeg),
    201,
  )
  return { taskId, publicUrl: String(body['public_url']), key: String(body['key']) }
}
