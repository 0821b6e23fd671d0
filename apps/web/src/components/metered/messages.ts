import { defineMessages } from '../../lib/messages.ts'

export const priceMessages = defineMessages({
  en: {
    pricePerUnit: 'For each accepted {unit}',
    capOnly: 'Up to {cap} in all',
    capAndShare: 'Up to {cap} in all. The worker gets {share} of it, the rest is the fee.',
    unit_observation: 'observation',
    unit_second: 'second',
    unit_minute: 'minute',
    unit_hour: 'hour',
    unit_scan: 'scan',
    unit_token: 'token',
    unit_byte: 'byte',
    unit_request: 'request',
    unit_item: 'item',
  },
  es: {
    pricePerUnit: 'Por cada {unit} que se acepte',
    capOnly: 'Hasta {cap} en total',
    capAndShare: 'Hasta {cap} en total. Quien trabaja recibe {share}; el resto es la comisión.',
    unit_observation: 'observación',
    unit_second: 'segundo',
    unit_minute: 'minuto',
    unit_hour: 'hora',
    unit_scan: 'escaneo',
    unit_token: 'token',
    unit_byte: 'byte',
    unit_request: 'petición',
    unit_item: 'elemento',
  },
})
