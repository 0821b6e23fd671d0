import { ask, askRaw, codeOf } from '../ask.ts'
import { createTally, type AttackClass } from '../attack-class.ts'
import { drawPicture } from '../../demo/picture.ts'
import { assigned, newParty } from '../market.ts'
import { inWaves } from '../waves.ts'

const mib = 1_048_576
/** What a link takes that does not say how large its file is. */
const linkMib = 25
/** SVC_UPLOAD_TASK_MIB and SVC_UPLOAD_WALLET_DAY_MIB of a deployment that says nothing else. */
const most = { task: 500 / linkMib, wallet: Math.floor(2_048 / linkMib) } as const
const tasks = 5
const beyond = 5

/** A worker who takes all the room there is, and links that are used for something else. */
export const disk: AttackClass = {
  name: 'disk by uploads',
  on: 'any',
  held: 'SVC_UPLOAD_TASK_MIB, SVC_UPLOAD_WALLET_DAY_MIB, SVC_UPLOAD_DAY_MIB; SVC_UPLOAD_KEEP_HOURS',
  async attack(target) {
    const tally = createTally()
    const [publisher, worker] = [await newParty(target, 10n), await newParty(target)]
    const jobs = []
    for (let count = 0; count < tasks; count += 1)
      jobs.push(await assigned(publisher, worker, { evidence_required: ['photo'] }))
    const links: string[] = []
    let asked = 0
    for (const { taskId } of jobs) {
      const codes: string[] = []
      for (let count = 0; count < most.task + beyond; count += 1) {
        const reply = await worker.signed(
          'GET',
          `/api/v1/evidence/presign-upload?task_id=${taskId}&content_type=image/jpeg`,
        )
        codes.push(reply.status === 200 ? 'made' : codeOf(reply))
        if (reply.status === 200) links.push(String(reply.body['upload_url']))
      }
      asked += codes.length
      tally.many(
        `room beyond that of a task: ${[...new Set(codes)].join(', ')}`,
        beyond,
        codes.filter((code) => code === 'made').length - most.task,
      )
    }
    tally.many('room beyond that of a wallet', asked - most.wallet, links.length - most.wallet)
    const filling = links.slice(2, most.task)
    const stored = await inWaves(filling.length, 2, (index) => fill(target.url, filling[index] ?? ''))
    tally.attempt(
      'what a link promised is not taken',
      stored.every((status) => status === 201),
    )
    for (const [what, isStopped] of await misused(target.url, links)) tally.attempt(what, isStopped)
    const [counted] = await target.rows(
      'select coalesce(sum(bytes), 0)::bigint as bytes from uploads u where u.task_id = any($1)',
      [jobs.map(({ taskId }) => taskId)],
    )
    tally.attempt(
      `${String(counted?.['bytes'])} bytes are taken`,
      Number(counted?.['bytes']) <= most.wallet * linkMib * mib,
    )
    return tally.score()
  },
}

/** As large as the link lets it be. */
async function fill(url: string, link: string): Promise<number> {
  const { pathname, search } = new URL(link)
  const picture = drawPicture('large')
  const body = Buffer.alloc(linkMib * mib)
  body.set(picture)
  return (await ask(url, { method: 'PUT', target: pathname + search, headers: { 'content-type': 'image/jpeg' }, body }))
    .status
}

async function misused(
  url: string,
  [link = '', other = '']: readonly string[],
): Promise<readonly (readonly [string, boolean])[]> {
  const { pathname, search, host } = new URL(link)
  const bytes = drawPicture('mine')
  const put = async (target: string, contentType: string, body: Uint8Array): Promise<number> =>
    (await ask(url, { method: 'PUT', target, headers: { 'content-type': contentType }, body })).status
  const refused = async (target: string, contentType = 'image/jpeg', body: Uint8Array = bytes): Promise<boolean> => {
    const status = await put(target, contentType, body)
    return status >= 400 && status < 500
  }
  const long = await askRaw(
    url,
    `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n` +
      `Content-Type: image/jpeg\r\nContent-Length: ${String(linkMib * mib + 1)}\r\n\r\n`,
  )
  return [
    ['more bytes than a file may have', long.startsWith('HTTP/1.1 413 ')],
    ['a link without its signature', await refused(pathname)],
    ['the signature of another link', await refused(pathname + new URL(other).search)],
    ['a link that lives for ever', await refused(`${pathname}${search.replace(/expires=\d+/, 'expires=9999999999')}`)],
    [
      'a path out of the folder',
      await refused(`${pathname.split('/').slice(0, -1).join('/')}/..%2f..%2fevil${search}`),
    ],
    [
      'a page that says it is a picture',
      await refused(`${pathname}${search}`, 'image/jpeg', Buffer.from('<script>alert(1)</script>')),
    ],
    ['another type', await refused(`${pathname}${search}`, 'text/html')],
    [
      'a link used twice',
      (await put(`${pathname}${search}`, 'image/jpeg', bytes)) === 201 && (await refused(`${pathname}${search}`)),
    ],
  ]
}
