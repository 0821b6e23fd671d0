import { categories, listingSorts } from '@ergon/contract'
import { createClient } from '@ergon/sdk'
import { checkInput } from '../check-input.ts'
import type { Command } from '../command.ts'
import { given } from '../given.ts'
import { columns } from '../help.ts'
import { pageFields, pageLines, pageOptions } from '../list-page.ts'
import { readTaskFile } from '../task-file.ts'

export const servicesList: Command = {
  words: ['services', 'list'],
  about: 'What others offer.',
  options: {
    mine: { about: 'Your own, paused ones included.' },
    category: { value: 'CATEGORY', about: 'Only this category.', among: categories },
    skills: { value: 'A,B', about: 'Any of these skills.' },
    sort: { value: 'ORDER', about: 'What comes first.', among: listingSorts },
    ...pageOptions,
  },
  async run(call, session) {
    const page = call.is('mine')
      ? await session.client().listings.mine(checkInput('listings.mine', pageFields(call)))
      : await createClient({ baseUrl: session.url() }).listings.browse(
          checkInput(
            'listings.browse',
            given({
              category: call.text('category'),
              skills: call.text('skills'),
              sort: call.text('sort'),
              ...pageFields(call),
            }),
          ),
        )
    const rows = page.listings.map(
      (one) => [one.id, `${String(one.unit_price_usd).padStart(6)} USD  ${one.title}`] as const,
    )
    return {
      data: page,
      brief: page.listings.map(({ id }) => id).join('\n'),
      lines: pageLines(columns(rows), page, 'No listing.'),
    }
  },
}

export const servicesPost: Command = {
  words: ['services', 'post'],
  about: 'Offer a service from a file.',
  options: {
    file: {
      short: 'f',
      value: 'FILE',
      about: 'YAML or JSON: title, description, category, unit_price_usd and so on; - reads stdin.',
    },
  },
  async run(call, session) {
    const listing = await session
      .client()
      .listings.create(checkInput('listings.create', readTaskFile(call.need('file'))))
    return {
      data: listing,
      brief: listing.id,
      lines: [`Offered as ${listing.id} at ${String(listing.unit_price_usd)} USD`],
    }
  },
}

export const servicesOrder: Command = {
  words: ['services', 'order'],
  about: 'Order a service: publishes the task; assigning the seller locks the bounty.',
  positionals: [{ name: 'listing', about: 'Its id.' }],
  options: {
    price: { value: 'USD', about: 'Refuse any other price.' },
    instructions: { value: 'TEXT', about: 'What you ask beyond the description.' },
    'deadline-hours': { value: 'N', about: 'The deadline, in hours.' },
  },
  async run(call, session) {
    const order = await session.client().listings.order(
      checkInput(
        'listings.order',
        given({
          listing_id: call.need('listing'),
          bounty_usd_override: call.number('price'),
          custom_instructions: call.text('instructions'),
          deadline_hours: call.number('deadline-hours'),
        }),
      ),
    )
    return {
      data: order,
      brief: order.task_id,
      lines: [
        `Ordered: task ${order.task_id} at ${String(order.bounty_usd)} USD`,
        `  next  ergon assign ${order.task_id} ${order.seller_executor_id}`,
      ],
    }
  },
}
