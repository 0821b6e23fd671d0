import { defineMessages } from '../../lib/messages.ts'

export const earningsMessages = defineMessages({
  en: {
    title: 'Earnings', lead: 'What reached your wallet, payment by payment, after the fee.', signedOut: 'Here is what you earned.', notWorker: 'You have not worked here yet. Earnings begin with your first paid task.', find: 'Find work', paid: 'Paid', pending: 'Under way (bounties before the fee)', payments: '{n, plural, one {one payment} other {# payments}}', tasksCount: '{n, plural, one {one task} other {# tasks}}',
    chart: 'Earnings over time', chartTable: 'The figures of the chart', period: 'Beginning', amount: 'Amount', count: 'Payments', 'by.month': 'By month', 'by.week': 'By week', per: 'Show', all: 'Payments', task: 'Task', gross: 'Bounty', payout: 'Received', network: 'Network', transaction: 'Transaction', when: 'When', csv: 'Save as CSV', unnamed: 'not named by the chain', none: 'No payment yet.', loaded: 'The first {n, number} payments are counted here.',
  },
  es: {
    title: 'Ingresos', lead: 'Lo que ha llegado a tu cartera, pago a pago, tras la comisión.', signedOut: 'Aquí está lo que has ganado.', notWorker: 'Todavía no has trabajado aquí. Los ingresos empiezan con tu primera tarea pagada.', find: 'Buscar trabajo', paid: 'Pagado', pending: 'En marcha (recompensas antes de la comisión)', payments: '{n, plural, one {un pago} other {# pagos}}', tasksCount: '{n, plural, one {una tarea} other {# tareas}}',
    chart: 'Ingresos a lo largo del tiempo', chartTable: 'Las cifras del gráfico', period: 'Desde', amount: 'Importe', count: 'Pagos', 'by.month': 'Por mes', 'by.week': 'Por semana', per: 'Mostrar', all: 'Pagos', task: 'Tarea', gross: 'Recompensa', payout: 'Recibido', network: 'Red', transaction: 'Transacción', when: 'Cuándo', csv: 'Guardar como CSV', unnamed: 'la cadena no la nombra', none: 'Todavía ningún pago.', loaded: 'Aquí se cuentan los primeros {n, number} pagos.',
  },
})
