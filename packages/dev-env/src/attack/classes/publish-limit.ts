import { codeOf } from '../ask.ts'
import { createTally, type AttackClass } from '../attack-class.ts'
import { newCaller } from '../caller.ts'
import { aTask, idOf } from '../market.ts'
import { settingsOf } from '../settings-of.ts'
import { inWaves } from '../waves.ts'

const beyond = 15

const offer = {
  title: 'I translate menus',
  description: 'I will translate your menu into English for you.',
  category: 'content_generation',
  unit_price_usd: 1.07,
  skills: ['translation'],
}

/** An empty wallet publishes tasks, orders and listings beyond what a wallet may in an hour. */
export const publishLimit: AttackClass = {
  name: 'orders around the publish limit',
  on: 'any',
  held: 'SVC_PUBLISH_PER_HOUR, one budget of a wallet for tasks, orders and listings',
  async attack(target) {
    const tally = createTally()
    const [seller, buyer] = [newCaller(target), newCaller(target)]
    const listing = idOf(await seller.signed('POST', '/api/v1/services', offer))
    const { 'rates.publish_per_hour': limit } = await settingsOf(target)
    const order = async (): Promise<string> => {
      const reply = await buyer.signed('POST', `/api/v1/services/${listing}/order`, {})
      return reply.status === 201 ? 'made' : codeOf(reply)
    }
    const made = await inWaves(limit + beyond, 8, order)
    const orders = made.filter((one) => one === 'made').length
    tally.many('an order beyond the limit', beyond, orders - limit)
    for (let index = 0; index < beyond; index += 1) {
      tally.attempt(
        'a task beyond the limit',
        codeOf(await buyer.signed('POST', '/api/v1/tasks', aTask())) === 'RATE_LIMITED',
      )
      tally.attempt(
        'a listing beyond the limit',
        codeOf(await buyer.signed('POST', '/api/v1/services', offer)) === 'RATE_LIMITED',
      )
    }
    const { body } = await seller.ask('GET', `/api/v1/services/${listing}`)
    tally.attempt('orders without money are counted', body['orders_count'] === 0 && orders === limit)
    const [row] = await target.rows('select count(*)::int as tasks from tasks where lower(publisher_wallet) = $1', [
      buyer.wallet,
    ])
    tally.attempt('refused tasks are there', row?.['tasks'] === limit)
    return tally.score()
  },
}
