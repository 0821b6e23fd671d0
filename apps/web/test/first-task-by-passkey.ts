import { countPresses, enterByPasskey, giveAuthenticator } from './passkey.ts'
import type { Person } from './person.ts'

/** What two people needed for their first task. */
export type FirstTask = { readonly presses: readonly [publisher: number, worker: number]; readonly seconds: number }

/** Two people without any wallet publish, take, hand in and pay a first task; each makes a passkey on the way. */
export async function playFirstTask(publisher: Person, worker: Person): Promise<FirstTask> {
  await Promise.all([giveAuthenticator(publisher.page), giveAuthenticator(worker.page)])
  const counts = [await countPresses(publisher.page), await countPresses(worker.page)] as const
  const began = Date.now()
  const title = 'Read the sign at the gate'

  // A name and a passkey, and the local chain gives test money.
  const { page: hers } = publisher
  await publisher.open('/publish')
  await hers.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await enterByPasskey(hers, 'Marta')
  await hers
    .getByRole('status')
    .filter({ hasText: /1[.,]000/ })
    .waitFor()
  // A common task brings its kind, proof and price along; with her own words in it she goes on to the last step.
  await hers.getByRole('button', { name: 'Find something out' }).click()
  await hers.getByLabel('Title').fill(title)
  await hers.getByLabel('What has to be done').fill('Stand in front of the gate and write down what the sign says.')
  await hers.getByRole('button', { name: 'Step 4 of 4: Check' }).click()
  await hers.getByRole('button', { name: 'Post it' }).click()
  await hers.getByRole('heading', { level: 1, name: title }).waitFor()

  const { page: his } = worker
  // She sent him the address of the task.
  await worker.open(`/tasks/${/[0-9a-f-]{36}/.exec(hers.url())?.[0] ?? ''}`)
  await his.getByRole('heading', { level: 1, name: title }).waitFor()
  await his.getByRole('link', { name: 'Apply', exact: true }).click()
  await his.getByRole('dialog').getByRole('link', { name: 'Sign in' }).click()
  await enterByPasskey(his, 'Lucas')
  await his.getByRole('button', { name: 'Send application' }).click()
  await his.getByText('You have applied').waitFor()

  // She sees a name, chooses, and her passkey signs what the sheet has said.
  await hers.getByRole('link', { name: /^Choose Lucas/ }).click()
  await hers.getByRole('button', { name: 'Set the money aside' }).click()
  const signing = hers.getByRole('dialog', { name: 'Before you sign' })
  await signing.getByRole('button', { name: 'Open the wallet' }).click()
  // With the lock comes the order by which silence pays.
  await signing.getByText('Let silence pay for this task').waitFor()
  await signing.getByRole('button', { name: 'Open the wallet' }).click()
  await hers.getByRole('status').filter({ hasText: 'The money is set aside' }).waitFor()

  await his
    .getByRole('link', { name: /hand in/i })
    .first()
    .click()
  await his.getByLabel('Written report').fill('It says: closed on Mondays.')
  await his.getByLabel('Link').fill('https://example.com/gate')
  await his.getByRole('button', { name: 'Hand in', exact: true }).click()
  await his.waitForURL('**/work')

  await hers.getByRole('link', { name: 'Review the work' }).click()
  await hers.getByText('It says: closed on Mondays.').waitFor()
  await hers.getByRole('link', { name: 'Approve and pay' }).click()
  await hers.getByRole('button', { name: 'Sign and pay' }).click()
  await hers.getByRole('dialog', { name: 'Before you sign' }).getByRole('button', { name: 'Open the wallet' }).click()
  await hers.getByText('Paid', { exact: true }).first().waitFor({ timeout: 60_000 })

  return { presses: [counts[0](), counts[1]()], seconds: (Date.now() - began) / 1_000 }
}
