import type { Input } from '@ergon/sdk'
import type { Theatre } from './browser.ts'
import { registerAsPerson, untilFunded, type Person, type PersonOptions } from './person.ts'

/** A publisher and a worker who are signed in, and something of theirs behind every address of the app. */
export type Scene = AsyncDisposable & {
  readonly publisher: Person
  readonly worker: Person
  /** The values of `$taskId` and the like. */
  readonly params: Readonly<Record<string, string>>
  readonly openTask: string
}

/** Texts that whoever publishes or works may write. */
export type Words = { readonly title: string; readonly text: string }

const plainly: Words = { title: 'Photograph the gate', text: 'Stand in front of the gate and write what you see.' }

/**
 * One job in review and one in dispute, one that is open, a listing and a webhook; each with `words` where people
 * write.
 */
export async function setScene(
  theatre: Theatre,
  profile: PersonOptions = {},
  { title, text }: Words = plainly,
): Promise<Scene> {
  await using stack = new AsyncDisposableStack()
  const publisher = stack.use(await theatre.person(profile))
  const worker = stack.use(await theatre.person(profile))
  await publisher.signIn('ada')
  await worker.signIn('bruno')
  await untilFunded(await publisher.account('ada'))
  const [{ client: paying, signer: payer }, bruno] = await Promise.all([
    publisher.account('ada'),
    worker.account('bruno'),
  ])
  const { client: working } = bruno
  const workerId = await registerAsPerson(theatre.url, bruno, title)
  // The same words at the same price would be the same call.
  const publish = async (bounty_usd: number): Promise<string> =>
    publishAsPerson(publisher, {
      title,
      instructions: text,
      category: 'simple_action',
      bounty_usd,
      evidence_required: ['text_response'],
      location_hint: title,
    })
  const submitted = async (bounty_usd: number): Promise<{ readonly taskId: string; readonly submissionId: string }> => {
    const taskId = await publish(bounty_usd)
    const { executor_id } = await working.tasks.apply({ task_id: taskId, message: text })
    await paying.assignWorker({ task_id: taskId, executor_id })
    const { submission_id } = await working.tasks.submit({
      task_id: taskId,
      evidence: { text_response: text },
      notes: title,
    })
    for (const client of [paying, working]) await client.messages.send({ task_id: taskId, text })
    return { taskId, submissionId: submission_id }
  }
  const openTask = await publish(1.07)
  await working.tasks.apply({ task_id: openTask, message: text })
  const asked = await working.questions.ask({ task_id: openTask, text })
  await paying.questions.answer({ task_id: openTask, question_id: asked.id, text })
  const review = await submitted(1.08)
  const { id: disputeId } = await working.submissions.dispute({
    submission_id: (await submitted(1.09)).submissionId,
    reason: 'no_response',
    description: text,
  })
  await paying.reputation.register({})
  const { id: listingId } = await paying.listings.create({
    title,
    description: text,
    category: 'simple_action',
    unit_price_usd: 2,
    skills: ['walking'],
  })
  const { webhook_id: webhookId } = await paying.webhooks.create({ url: 'https://93.184.216.34/told', events: ['*'] })
  const owned = stack.move()
  return {
    publisher,
    worker,
    openTask,
    params: {
      taskId: review.taskId,
      submissionId: review.submissionId,
      disputeId,
      listingId,
      webhookId,
      workerId,
      wallet: payer.address,
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** As the app publishes: in the session of the person, so that the screens of persons know the task. */
export async function publishAsPerson({ page }: Person, input: Input<'h2a.publish'>): Promise<string> {
  return page.evaluate(async (body) => {
    const answer = await fetch('/api/v1/h2a/tasks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const said = (await answer.json()) as { readonly id?: string }
    if (said.id === undefined) throw new Error(`not published: ${JSON.stringify(said)}`)
    return said.id
  }, input)
}

/** An address of the router with its places filled in. */
export function addressOf(path: string, params: Scene['params']): string {
  return path.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`the scene has nothing for $${name}`)
    return value
  })
}
