import { cashOutFields } from '../http/cash-out-fields.ts'
import { approveFields, aTask, eventually, expectStatus, paymentAuth, submit, type Party } from '../http/live-market.ts'
import { offerFields } from '../http/live-offers.ts'
import { ownOrigin, sendJson, sessionPath, signInText } from '../http/live-people.ts'
import type { Scene } from '../tour/scene.ts'
import { uploaded } from '../tour/uploaded.ts'
import { mailFields } from '../mail/mail-server.ts'
import { browser } from '../push/browser.ts'
import { startReceiver, type Receiver } from '../webhooks/receiver.ts'

const hooks = '/api/v1/webhooks'
const act = { reason: 'The tour goes into the corners.' }

/** Beside the tour: calls that carry what it leaves out, and places where a second row or an open door is needed. */
export async function fuller(scene: Scene, use: AsyncDisposableStack): Promise<void> {
  await tasks(scene)
  await works(scene)
  await evidence(scene)
  await refusedSubmissions(scene)
  await handedInTwice(scene)
  await decisions(scene)
  await rows(scene)
  await agreements(scene)
  await talk(scene)
  await browsers(scene)
  await mailbox(scene)
  await searches(scene)
  await listings(scene)
  await admin(scene)
  await identity(scene)
  await unsigned(scene)
  await endpoints(scene, use.use(await startReceiver()))
}

async function tasks(scene: Scene): Promise<void> {
  const { publisher, person, worker, applied, appliedToPerson, accepted, acceptedFromPerson } = scene
  await publisher.call('POST', '/api/v1/tasks', aTask(corner('bureaucratic', 'notarized', 'code_output', 37, 'robot')))
  await person.call('POST', '/api/v1/h2a/tasks', aTask(corner('emergency', 'receipt', 'screenshot', 38, 'human')))
  for (const [by, path, job] of [
    [publisher, '/api/v1/tasks', await applied()],
    [person, '/api/v1/h2a/tasks', await appliedToPerson()],
  ] as const)
    expectStatus(
      await by.call(
        'POST',
        `${path}/${job.taskId}/assign`,
        { executor_id: job.executorId, notes: 'Ring twice.' },
        { 'x-payment-auth': await paymentAuth(publisher, job) },
      ),
      200,
    )
  await person.call('POST', `/api/v1/h2a/tasks/${(await acceptedFromPerson()).taskId}/cancel`, { reason: 'It rains.' })
  const submitted = await worker.call('POST', `/api/v1/tasks/${(await accepted()).taskId}/submit`, {
    evidence: { text_response: 'It is open.' },
    notes: 'Nobody was there.',
    device_metadata: { clock: '2026-11-23T12:34:56Z', utc_offset_minutes: 47 },
  })
  expectStatus(submitted, 201)
}

const corner = (category: string, required: string, also: string, reputation: number, target: string) => ({
  category,
  evidence_required: [required],
  evidence_optional: [also],
  min_reputation: reputation,
  target_executor_type: target,
  deadline_hours: 30,
  location_hint: 'At the harbour.',
})

/** An offer with a note, and a policy that asks for a criterion. */
async function agreements({ worker, publisher, published, submitted }: Scene): Promise<void> {
  const { taskId } = await submitted()
  const target = `/api/v1/tasks/${taskId}/settlements`
  await worker.call('POST', target, { ...(await offerFields(worker, taskId)), note: 'Half of it is there.' })
  await worker.call('GET', `${target}/challenge?worker_amount_usd=0.25&valid_hours=5`)
  await worker.call('POST', target, await offerFields(worker, taskId, 0.25))
  for (const query of ['limit=1&offset=1', 'limit=1']) await worker.call('GET', `${target}?${query}`)
  await publisher.call('PUT', `/api/v1/tasks/${await published()}/policy`, { criteria_required: true })
}

/** Two messages of a task, and two questions about one. */
async function talk({ worker, publisher, published, accepted }: Scene): Promise<void> {
  const messages = `/api/v1/tasks/${(await accepted()).taskId}/messages`
  const questions = `/api/v1/tasks/${await published()}/questions`
  for (const by of [worker, publisher]) expectStatus(await by.call('POST', messages, { text: 'Which gate?' }), 201)
  for (const text of ['Which gate?', 'Is there a bell?'])
    expectStatus(await worker.call('POST', questions, { text }), 201)
  for (const target of [messages, questions])
    for (const query of ['limit=1&offset=1', 'limit=1']) await publisher.call('GET', `${target}?${query}`)
}

/** Two browsers that show notices. */
async function browsers({ publisher }: Scene): Promise<void> {
  const target = '/api/v1/account/push'
  for (const name of ['one', 'other']) expectStatus(await publisher.call('POST', target, browser(name)), 201)
  for (const query of ['limit=1&offset=1', 'limit=1']) await publisher.call('GET', `${target}?${query}`)
}

/** An address, and another choice for it. */
async function mailbox({ publisher }: Scene): Promise<void> {
  for (const change of [{}, { kinds: ['rating'], language: 'en' }])
    expectStatus(await publisher.call('POST', '/api/v1/account/mail', { ...mailFields('fuller'), ...change }), 201)
}

/** Every filter, another choice for each, and another place. */
async function searches({ publisher }: Scene): Promise<void> {
  const filter = { name: 'Fuller', q: 'fuller', category: 'research', network: 'localnet', box: '16.4711,48,17,49' }
  const amounts = { min_bounty: 0.5, max_bounty: 20 }
  const other = { ...filter, category: 'sensory', network: 'base', box: '1,2,3,4', min_bounty: 0.6, max_bounty: 21 }
  for (const [slot, fields] of [
    [4, { ...filter, ...amounts, target_executor_type: 'agent', all_parties: true }],
    [5, { ...other, target_executor_type: 'robot', all_parties: false }],
  ] as const)
    expectStatus(await publisher.call('PUT', `/api/v1/account/searches/${String(slot)}`, fields), 200)
  for (const query of ['limit=1&offset=1', 'limit=1']) await publisher.call('GET', `/api/v1/account/searches?${query}`)
  expectStatus(await publisher.call('DELETE', '/api/v1/account/searches/2'), 200)
}

/** Two works on a profile, one of them with a picture, and one that is declined. */
async function works(scene: Scene): Promise<void> {
  const { publisher, worker, get, completed } = scene
  const { taskId, publicUrl, key } = await uploaded(scene)
  const handedIn = await worker.call('POST', `/api/v1/tasks/${taskId}/submit`, { evidence: { photo: publicUrl } })
  const submissionId = String(expectStatus(handedIn, 201).body['submission_id'])
  const approved = await approveFields(publisher, submissionId)
  expectStatus(await publisher.call('POST', `/api/v1/submissions/${submissionId}/approve`, approved), 200)
  const [second, third] = [await completed(), await completed()]
  for (const [of, pictures, allow] of [
    [taskId, [key], true],
    [second.taskId, [], true],
    [third.taskId, [], false],
  ] as const) {
    const path = `/api/v1/tasks/${of}/portfolio`
    expectStatus(await worker.call('PUT', path, { pictures }), 200)
    expectStatus(await publisher.call('POST', `${path}/answer`, { allow }), 200)
  }
  for (const query of ['limit=1&offset=1', 'limit=1'])
    await get(`/api/v1/workers/${second.executorId}/portfolio?${query}`)
}

/** One of each kind that is a value. */
async function evidence({ worker, accepted }: Scene): Promise<void> {
  const values = {
    gps: {
      lat: 48.2,
      lng: 16.3,
      accuracy_meters: 7,
      timestamp: '2026-11-23T12:00:00Z',
      samples: [{ lat: 48.21, lng: 16.3137 }],
    },
    timestamp_proof: { timestamp: '2026-11-23T12:00:00Z', proof: 'a token' },
    text_response: 'It is open.',
    measurement: { value: 7, unit: 'm' },
    json_response: { open: true },
    api_response: { status: 200, body: {} },
    code_output: { stdout: 'ok', exit_code: 0 },
    url_reference: 'https://example.org/gate',
    structured_data: { open: true },
    text_report: 'The gate is open.',
  }
  const { taskId } = await accepted({
    evidence_required: Object.keys(values).slice(0, 5),
    evidence_optional: Object.keys(values).slice(5),
  })
  const submitted = expectStatus(await worker.call('POST', `/api/v1/tasks/${taskId}/submit`, { evidence: values }), 201)
  await worker.call('GET', `/api/v1/submissions/${String(submitted.body['submission_id'])}/evidence`)
}

/** Refused for what is missing, so that each field can be tried on it and nothing is used up. */
async function refusedSubmissions(scene: Scene): Promise<void> {
  const { taskId } = await scene.accepted({
    evidence_required: ['photo'],
    evidence_optional: ['photo_geo', 'video', 'document', 'receipt'],
  })
  await scene.worker.call('POST', `/api/v1/tasks/${taskId}/submit`, { evidence: {} })
  const more = await scene.accepted({
    evidence_required: ['signature'],
    evidence_optional: ['notarized', 'screenshot', 'file_artifact', 'text_response'],
  })
  await scene.worker.call('POST', `/api/v1/tasks/${more.taskId}/submit`, { evidence: {} })
  await uploaded(scene)
  const file = `task_id=${taskId}&filename=gate.png&content_length=1000`
  await scene.worker.call('GET', `/api/v1/evidence/presign-upload?${file}`)
}

/** Lists of two submissions. */
async function handedInTwice({ publisher, person, worker, submitted, submittedToPerson }: Scene): Promise<void> {
  for (const [by, path, job] of [
    [publisher, '/api/v1/tasks', await submitted()],
    [person, '/api/v1/h2a/tasks', await submittedToPerson()],
  ] as const) {
    const changes = { reason: 'Say more about the gate.' }
    expectStatus(await publisher.call('POST', `/api/v1/submissions/${job.submissionId}/request-changes`, changes), 200)
    await submit(worker, job.taskId)
    await by.call('GET', `${path}/${job.taskId}/submissions`)
  }
}

async function decisions(scene: Scene): Promise<void> {
  const { publisher, person, worker, admin, submitted, submittedToPerson, completed } = scene
  const rejection = { reason: 'Not the gate.', criteria: ['text_response: the gate is not named'] }
  const [one, other] = [await submitted(), await submitted()]
  await publisher.call('POST', `/api/v1/tasks/${one.taskId}/reject`, rejection)
  await publisher.call('POST', `/api/v1/submissions/${other.submissionId}/reject`, rejection)
  const [byTask, byItself, ofPerson] = [await submitted(), await submitted(), await submittedToPerson()]
  const approve = async (by: Party, target: string, submissionId: string, words: object): Promise<void> => {
    const fields = await approveFields(publisher, submissionId)
    expectStatus(await by.call('POST', `/api/v1/${target}/approve`, { ...words, ...fields }), 200)
  }
  await approve(publisher, `tasks/${byTask.taskId}`, byTask.submissionId, { rating: 73, feedback: 'Sharp.' })
  await approve(publisher, `submissions/${byItself.submissionId}`, byItself.submissionId, {
    rating: 74,
    feedback: 'Sharp.',
  })
  const accepted = { verdict: 'accepted', rating: 75 }
  await approve(person, `h2a/tasks/${ofPerson.taskId}`, ofPerson.submissionId, { ...accepted, feedback: 'Sharp.' })
  for (const words of [{ notes: 'On time.' }, { feedback: 'On time.' }]) {
    const { taskId, submissionId } = await submittedToPerson()
    await approve(person, `h2a/tasks/${taskId}`, submissionId, { verdict: 'accepted', ...words })
  }
  const rate = { comment: 'Paid at once.' }
  const rated = await completed()
  await worker.call('POST', '/api/v1/reputation/agents/rate', { task_id: rated.taskId, score: 77, ...rate })
  await publisher.call('POST', '/api/v1/reputation/workers/rate', { task_id: rated.taskId, score: 76, ...rate })
  await publisher.call('POST', '/api/v1/reputation/relay/prepare', {
    task_id: (await completed()).taskId,
    direction: 'publisher_rates_executor',
    score: 78,
    ...rate,
  })
  const { submissionId } = await submitted()
  const disputed = await worker.call('POST', `/api/v1/submissions/${submissionId}/dispute`, {
    reason: 'unfair_rejection',
    description: 'It is sharp.',
  })
  const path = `/api/v1/disputes/${String(expectStatus(disputed, 201).body['id'])}/resolve`
  const actor = { 'x-admin-actor': 'the arbiter' }
  // Refused: a split needs its share.
  await admin('POST', path, { verdict: 'split', reason: 'Half.' }, actor)
  await admin('POST', path, { verdict: 'refund', reason: 'It is not there.' }, actor)
}

/** A second row where a list has one. */
async function rows(scene: Scene): Promise<void> {
  const { market, journal, publisher, person, worker, applied, appliedToPerson, get } = scene
  const other = journal.watch(await market.party(0n))
  const [one, two] = [await applied(), await appliedToPerson()]
  const another = journal.watch(await market.party(0n))
  for (const { taskId } of [one, two])
    for (const by of [other, another]) await by.call('POST', `/api/v1/tasks/${taskId}/apply`, {})
  await publisher.call('GET', `/api/v1/tasks/${one.taskId}/applications`)
  await person.call('GET', `/api/v1/h2a/tasks/${two.taskId}/applications`)
  for (const digit of ['8', '7']) await worker.call('POST', '/api/v1/users/block', { wallet: `0x${digit.repeat(40)}` })
  await worker.call('GET', '/api/v1/users/blocked')
  const onwards = await cashOutFields(worker, { to: `0x${'9'.repeat(40)}` })
  expectStatus(await worker.call('POST', '/api/v1/account/cash-outs', onwards), 200)
  for (const list of ['tasks', 'tasks/available']) await worker.call('GET', `/api/v1/${list}`)
  await person.call('GET', '/api/v1/h2a/tasks')
  await get('/api/v1/workers?has_completed=false')
  await get('/api/v1/events?scope=public&limit=3')
  await publisher.call(
    'POST',
    '/api/v1/tasks',
    {
      title: 'Find the gate',
      instructions: 'Look for it in every street.',
      category: 'simple_action',
      bounty_usd: 1.07,
      evidence_required: ['text_response'],
    },
    { 'x-idempotency-key': 'the-corner' },
  )
  await publisher.call('GET', '/api/v1/operations/the-corner')
}

async function listings({ worker, publisher, person, get }: Scene): Promise<void> {
  const listing = expectStatus(
    await worker.call('POST', '/api/v1/services', {
      title: 'Photographs of doors',
      description: 'One sharp photograph of any door in town.',
      category: 'creative',
      unit_price_usd: 2,
      skills: ['Doors'],
    }),
    201,
  )
  await get('/api/v1/services')
  const order = `/services/${String(listing.body['id'])}/order`
  const custom_instructions = 'The blue one, please.'
  await publisher.call('POST', `/api/v1${order}`, { deadline_hours: 30, custom_instructions })
  await person.call('POST', `/api/v1/h2a${order}`, { deadline_hours: 31, custom_instructions })
}

async function admin({ market, admin: call, accepted, completed, worker, published }: Scene): Promise<void> {
  const actor = { 'x-admin-actor': 'whoever holds the key' }
  const { wallet } = await market.party(0n)
  await call('PUT', `/api/v1/admin/tasks/${(await accepted()).taskId}`, { status: 'cancelled', ...act }, actor)
  await call('PUT', `/api/v1/admin/workers/${wallet}/ban`, { banned: true, ...act }, actor)
  await call('PUT', '/api/v1/admin/config', { key: 'bounty.min_usd', value: 0.03, ...act }, actor)
  await completed()
  await call('POST', '/api/v1/admin/fees/sweep', { network: 'localnet', token: 'USDC', ...act }, actor)
  for (const reason of ['spam', 'unsafe']) {
    const told = { target: 'task', target_id: await published(), reason }
    const { id } = expectStatus(await worker.call('POST', '/api/v1/reports', told), 201).body
    await call('PUT', `/api/v1/admin/reports/${String(id)}`, { action: 'note', ...act }, actor)
  }
  await call('GET', '/api/v1/admin/reports')
}

/** Its name and description travel inside the URI of the identity. */
async function identity({ market, journal, get }: Scene): Promise<void> {
  const profile = { name: 'Ada', description: 'I photograph gates.' }
  const fresh = journal.watch(await market.party(0n))
  const { body } = expectStatus(await fresh.call('POST', '/api/v1/reputation/register', profile), 201)
  expectStatus(await get(`/api/v1/reputation/agents/${String(body['agent_id'])}/identity`), 200)
}

/** What neither a signature nor a session goes with. */
async function unsigned({ market, journal, publisher, worker, agentKey }: Scene): Promise<void> {
  const plain = journal.through(({ method, target, body }) =>
    sendJson(market.url, method, target, body, { origin: ownOrigin }),
  )
  for (const { wallet } of [publisher, worker])
    await plain({ method: 'POST', target: `${sessionPath}/challenge`, body: { wallet } })
  const message = String((await signInText(market.url, worker.wallet)).body['message'])
  await plain({
    method: 'POST',
    target: sessionPath,
    body: { message, signature: await worker.signer.signMessage(message) },
  })
  await plain({ method: 'POST', target: '/api/v1/agent/auth', body: { api_key: agentKey } })
}

/** An endpoint that stays, with deliveries that arrived and one that did not. */
async function endpoints({ publisher, published }: Scene, receiver: Receiver): Promise<void> {
  const made = { url: receiver.url, events: ['task.created'], description: 'It stays.' }
  const id = String(expectStatus(await publisher.call('POST', hooks, made), 201).body['webhook_id'])
  const at = `${hooks}/${id}`
  expectStatus(await publisher.call('POST', `${at}/verify`), 200)
  const taskId = await published()
  const { delivery_id: delivery } = expectStatus(await publisher.call('POST', `${at}/test`), 200).body
  await eventually(
    () => publisher.call('GET', `${at}/deliveries?status=delivered`),
    ({ body }) => JSON.stringify(body).includes(taskId) && JSON.stringify(body).includes(String(delivery)),
  )
  await publisher.call('GET', `${at}/deliveries`)
  await publisher.call('GET', `${at}/deliveries/${String(delivery)}`)
  await publisher.call('POST', `${at}/deliveries/${String(delivery)}/replay`)
  await publisher.call('POST', `${at}/replay`, { from: new Date(Date.now() - 60_000).toISOString() })
  await publisher.call('PUT', at, { description: 'It stays here.' })
  await publisher.call('GET', at)
  await publisher.call('POST', `${at}/rotate-secret`, { overlap_hours: 2 })
}
