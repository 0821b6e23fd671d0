import { defineMessages } from '../../lib/messages.ts'

/** An arbiter is never a party, and a task may name another (decision 0168). */
export const notForYouMessages = defineMessages({
  en: {
    side: 'You are an arbiter here, but not in a dispute of your own',
    sideSays: 'You are one of its two sides, so you cannot rule on it. Others decide.',
    kin: 'You cannot rule on this dispute',
    kinSays:
      'It has been ruled on meanwhile, or one side has the same agent identity or payout address as you. The arbiter and a side never have the same owner.',
    other: 'Another arbiter rules on this dispute',
    otherSays: 'Its task names that arbiter alone, so you can neither read it nor rule on it.',
  },
  es: {
    side: 'Arbitras en este servicio, pero no en una disputa tuya',
    sideSays: 'Eres una de las dos partes, así que no puedes resolverla. Deciden otros.',
    kin: 'No puedes resolver esta disputa',
    kinSays:
      'Ya se ha resuelto, o una de las partes comparte contigo la identidad de agente o la dirección de cobro. Quien arbitra nunca es de la misma titularidad que una parte.',
    other: 'Esta disputa la arbitra alguien más',
    otherSays: 'La tarea nombra solo a esa cartera para arbitrar, así que no puedes leer la disputa ni resolverla.',
  },
})
