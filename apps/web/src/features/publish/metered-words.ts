import { defineMessages } from '../../lib/messages.ts'

/** What a form says to whoever pays by the unit; it comes when that is chosen. */
export const meteredWords = defineMessages({
  en: {
    unit: 'What is counted',
    price: 'Price of one {unit}, in US dollars',
    priceHint: 'You pay this for each unit you accept, and nothing else.',
    cap: 'The most you can lose, in US dollars',
    capHint: 'From {least} to {most}. No work is accepted above it, and what is not used comes back.',
    later:
      'You sign nothing now. When you have chosen someone, your Solana wallet puts this amount into a channel that can pay only that worker.',
    'next.choose': 'You choose someone',
    'next.chooseSays': 'It costs nothing yet.',
    'next.fund': 'You open a channel',
    'next.fundSays': 'Your Solana wallet puts up to {cap} into it. You cannot lose more.',
    'next.tick': 'Each accepted {unit} is paid',
    'next.tickSays': 'Both of you see the meter while it runs.',
    'next.close': 'Either of you can end it',
    'next.closeSays': 'What was accepted is paid. The rest comes back to you.',
  },
  es: {
    unit: 'Qué se cuenta',
    price: 'Precio por {unit}, en dólares',
    priceHint: 'Lo pagas por cada unidad aceptada, y por nada más.',
    cap: 'Lo máximo que puedes perder, en dólares',
    capHint: 'De {least} a {most}. Por encima no se acepta trabajo, y lo que no se usa vuelve a ti.',
    later:
      'Ahora no firmas nada. Cuando elijas a alguien, tu cartera de Solana pone esta cantidad en un canal que solo puede pagar a esa persona.',
    'next.choose': 'Eliges a alguien',
    'next.chooseSays': 'Todavía no cuesta nada.',
    'next.fund': 'Abres un canal',
    'next.fundSays': 'Tu cartera de Solana pone hasta {cap}. No puedes perder más.',
    'next.tick': 'Se paga cada {unit} que se acepta',
    'next.tickSays': 'Los dos veis el contador mientras corre.',
    'next.close': 'Cualquiera de los dos puede terminarlo',
    'next.closeSays': 'Lo aceptado se paga. El resto vuelve a ti.',
  },
})
