import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { registerAsPerson, untilFunded } from './person.ts'
import { publishAsPerson } from './scene.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

const title = 'Film the gate'

test('a film is seen by its worker before it is handed in, and is played and wound by its publisher', async () => {
  await using ada = await theatre.person(phone)
  await using bruno = await theatre.person(phone)
  await ada.signIn('ada')
  await bruno.signIn('bruno')
  await untilFunded(await ada.account('ada'))
  const [paying, working] = await Promise.all([ada.account('ada'), bruno.account('bruno')])
  await registerAsPerson(theatre.url, working, 'Bruno')
  const task_id = await publishAsPerson(ada, {
    title,
    instructions: 'Stand in front of the gate and film it while it opens.',
    category: 'simple_action',
    bounty_usd: 1.11,
    evidence_required: ['video'],
  })
  const { executor_id } = await working.client.tasks.apply({ task_id, message: 'I am there.' })
  await paying.client.assignWorker({ task_id, executor_id })

  const { page } = bruno
  await bruno.open(`/work/${task_id}/submit`)
  const chooser = page.getByLabel('Choose a file: Video', { exact: true })
  await chooser.setInputFiles({ name: 'gate.webm', mimeType: 'video/webm', buffer: Buffer.alloc(9) })
  await page.getByText('This kind of file does not fit here. What fits: MP4, MOV.').waitFor()
  await chooser.setInputFiles({ name: 'long.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(25 * 1_048_576 + 1) })
  await page.getByText('The video is larger than 25 MB. Film for a shorter time, or in a lower quality.').waitFor()
  // What the browser cannot play is told by its name, and taken all the same.
  await chooser.setInputFiles({ name: 'odd.mp4', mimeType: 'video/mp4', buffer: Buffer.from('no film') })
  await page.getByText('odd.mp4').waitFor()
  await page.locator('video').waitFor({ state: 'detached' })
  await chooser.setInputFiles({ name: 'gate.mp4', mimeType: 'video/mp4', buffer: await record(bruno.page) })
  const preview = page.locator('video')
  await expect.poll(() => preview.evaluate((film: HTMLVideoElement) => film.videoWidth)).toBe(320)
  expect(await page.getByText('gate.mp4').isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await page.waitForURL('**/work')
  await page.getByRole('region', { name: 'Outbox' }).getByText('Handed in', { exact: true }).waitFor()

  const parts: (readonly [number, string | undefined])[] = []
  ada.page.on('response', (answer) => {
    if (answer.url().includes('/evidence/files/')) parts.push([answer.status(), answer.headers()['content-range']])
  })
  await ada.page.clock.install()
  await ada.open(`/my/tasks/${task_id}/review`)
  const film = ada.page.locator('video')
  await expect.poll(() => film.evaluate((one: HTMLVideoElement) => one.readyState)).toBeGreaterThan(1)
  // Wound to its end, which only a part of the file holds.
  const ended = await film.evaluate(async (one: HTMLVideoElement) => {
    one.muted = true
    const wound = new Promise((resolve) => one.addEventListener('seeked', resolve, { once: true }))
    one.currentTime = 1
    await wound
    const over = new Promise((resolve) => one.addEventListener('ended', resolve, { once: true }))
    await one.play()
    await over
    return one.videoWidth
  })
  expect(ended).toBe(320)
  expect(parts.map(([status]) => status)).toContain(206)

  // A link is over after a quarter of an hour: who is still there opens the file by a fresh one, undisturbed.
  const link = ada.page.getByRole('link', { name: 'Open the file' })
  const [address, first] = [await film.getAttribute('src'), await link.getAttribute('href')]
  await ada.page.clock.fastForward('11:00')
  await expect.poll(() => link.getAttribute('href')).not.toBe(first)
  expect(await film.getAttribute('src')).toBe(address)
  // What its old link does not give any more, the fresh one does.
  await film.evaluate((one: HTMLVideoElement) => one.dispatchEvent(new Event('error')))
  await expect.poll(() => film.getAttribute('src')).toBe(`${(await link.getAttribute('href')) ?? ''}#t=0.001`)
  await expect.poll(() => film.evaluate((one: HTMLVideoElement) => one.readyState)).toBeGreaterThan(1)
})

/** A real film of two seconds, as the browser writes it. */
async function record(page: Awaited<ReturnType<Theatre['person']>>['page']): Promise<Buffer> {
  const text = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 240 })
    const context = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/mp4' })
    const chunks: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => chunks.push(data))
    recorder.start()
    for (let turn = 0; turn < 40; turn += 1) {
      if (context !== null) {
        context.fillStyle = `hsl(${String(turn * 9)} 80% 50%)`
        context.fillRect(0, 0, 320, 240)
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const over = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }))
    recorder.stop()
    await over
    const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer())
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  })
  return Buffer.from(text, 'latin1')
}
