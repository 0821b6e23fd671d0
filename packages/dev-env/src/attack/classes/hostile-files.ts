import { claimingHeic, film, heic, spoilt, type Sample } from '@ergon/server/testing'
import { drawPicture } from '../../demo/picture.ts'
import { isAlive } from '../../stopping.ts'
import { ask, type Reply } from '../ask.ts'
import { createTally, type AttackClass } from '../attack-class.ts'
import { assigned, isServed, newParty, type Party } from '../market.ts'
import type { Target } from '../target.ts'
import { becomes } from '../waves.ts'

const perKind = 12
/** Tasks of each kind of evidence: a file that is taken ends its task. */
const jobsEach = 4
/** A parser has five seconds for a file, and its process has to end and begin. */
const mostMs = 8_000

/** Files that are dear or deadly to open, handed in as evidence. */
export const hostileFiles: AttackClass = {
  name: 'hostile files',
  on: 'any',
  held: 'a parser in a process of its own, SVC_INSPECT_TIMEOUT_MS and 96 MiB a file, loops bounded by the bytes present',
  async attack(target) {
    const tally = createTally()
    const [publisher, worker] = [await newParty(target, 10n), await newParty(target)]
    for (const type of ['photo', 'video'] as const) {
      const jobs = []
      for (let count = 0; count < jobsEach; count += 1)
        jobs.push((await assigned(publisher, worker, { evidence_required: [type] })).taskId)
      for (const file of corpus(type)) {
        const [taskId] = jobs
        if (taskId === undefined) break
        const begun = performance.now()
        const { status } = await handIn(target, worker, taskId, type, file)
        if (status === 201) jobs.shift()
        const isWell = isAlive(target.pids.server) && (await isServed(target, 3_000))
        tally.attempt(
          `${file.contentType} of ${String(file.bytes.length)} bytes: ${String(status)}`,
          status < 500 && performance.now() - begun < mostMs && isWell,
        )
      }
    }
    const { taskId } = await assigned(publisher, worker, { evidence_required: ['photo'] })
    const honest = await handIn(target, worker, taskId, 'photo', {
      contentType: 'image/jpeg',
      bytes: Buffer.from(drawPicture('honest')),
    })
    tally.attempt(`an honest picture is answered ${String(honest.status)}`, honest.status === 201)
    tally.attempt(
      'an honest picture is never checked',
      await becomes(async () => (await publisher.client.tasks.get({ task_id: taskId })).status === 'verifying', 15_000),
    )
    return tally.score()
  },
}

function corpus(type: 'photo' | 'video'): readonly Sample[] {
  const photos: readonly Sample[] = [
    { contentType: 'image/heic', bytes: heic() },
    { contentType: 'image/jpeg', bytes: Buffer.from(drawPicture('hostile')) },
  ]
  const videos: readonly Sample[] = [
    { contentType: 'video/mp4', bytes: film() },
    { contentType: 'video/quicktime', bytes: film('qt  ') },
  ]
  const claims =
    type === 'video'
      ? []
      : [3_000, 20_000, 65_535].map((items) => ({ contentType: 'image/heic', bytes: claimingHeic(items) }))
  return [
    ...claims,
    ...(type === 'video' ? videos : photos).flatMap((sample, kind) =>
      Array.from({ length: perKind }, (_, index) => ({ ...sample, bytes: spoilt(sample, kind * 1_000 + index) })),
    ),
  ]
}

/** Uploads and submits; the answer to whichever was refused, or to the last. */
async function handIn(
  target: Target,
  worker: Party,
  taskId: string,
  type: string,
  { contentType, bytes }: Sample,
): Promise<Reply> {
  const query =
    `task_id=${taskId}&evidence_type=${type}` +
    `&content_type=${encodeURIComponent(contentType)}&content_length=${String(Math.max(1, bytes.length))}`
  const link = await worker.signed('GET', `/api/v1/evidence/presign-upload?${query}`)
  if (link.status !== 200) throw new Error(`no link is given: ${JSON.stringify(link.body)}`)
  const { pathname, search } = new URL(String(link.body['upload_url']))
  const put = await ask(target.url, {
    method: 'PUT',
    target: pathname + search,
    headers: { 'content-type': contentType },
    body: bytes,
    from: worker.address,
  })
  return put.status === 201
    ? worker.signed('POST', `/api/v1/tasks/${taskId}/submit`, { evidence: { [type]: link.body['public_url'] } })
    : put
}
