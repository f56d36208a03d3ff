// Goal: the normal case of a row is computed, not refused. Method: three cases of each row as a practitioner has them,
// written by readers who were given names, units and relations, but no ranges; each computes and passes the gate, but
// for those listed, which the row rightly refuses.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite } from '../../kit/suite.ts'
import { casesOf, type OperatorCase, outcomeOf } from './cases.ts'
import { isEvaluable } from './row-rules.ts'
import type { SecondReading } from './second-reading.ts'
import { registry } from './table.ts'

const test = suite('operator cases')

const cases = casesOf(readFileSync('test/fixtures/operators/cases.jsonl', 'utf8'))
/** Why a row refuses cases of its readers. */
const REFUSED: Readonly<Record<string, string>> = {
  ALBERSHEIM: 'fitted to probabilities of false alarm from 1e-7 to 1e-3',
  ANDREWS_MARTENSITE_START: 'fitted to steels of at most 0.6 % carbon',
  BETHE_STOPPING_POWER: 'slower particles than βγ = 0.1 need the shell corrections, which it leaves out',
  MOTT_CROSS_SECTION: 'the first Born approximation, which is off by a third and more in gold and lead',
  NUSSELT_RANZ_MARSHALL: 'measured on drops at Reynolds numbers up to 200',
  OCONNOR_DOBBINS: 'the streams it was found in were no slower and no faster',
  SHG_EFFICIENCY: 'half of the light is converted: the relation takes the pump as not depleted',
  SZ4: 'the local magnitude saturates below 7.5',
}

test('each row that computes has three cases', () => {
  const counts = Map.groupBy(cases, ({ id }) => id)
  for (const { row } of registry.operators.filter(isEvaluable)) {
    if (!ADDED.includes(row.id) && !later.includes(row.id)) assert.ok((counts.get(row.id)?.length ?? 0) >= 3, row.id)
  }
})

/** Rows that came after the cases were written; those of everyday laws are named beside the second reading. */
const { later } = JSON.parse(readFileSync('protocols/operators/second-reading.json', 'utf8')) as SecondReading
const ADDED = ['BIODIVERSITY_INDEX_2', 'BIODIVERSITY_INDEX_4', 'BIODIVERSITY_INDEX_5', 'OBLIQUE_SHOCK_ANGLE']

test('all are computed and pass the gate, but for those that are rightly refused', () => {
  const said = ({ id, inputs, note }: OperatorCase): string => `${id} ${JSON.stringify(inputs)} (${note})`
  const refused = cases.filter((it) => outcomeOf(registry, it).code !== 'computed')
  assert.deepEqual(refused.filter(({ id }) => REFUSED[id] === undefined).map(said), [])
  for (const id of Object.keys(REFUSED))
    assert.ok(
      refused.some((it) => it.id === id),
      `${id} refuses nothing`,
    )
  for (const it of refused) assert.equal(outcomeOf(registry, it).code, 'OUT_OF_RANGE', said(it))
})

/** Inputs that are absent in the plain case: no inhibitor, no debt, a condenser, a source at ground level. */
const ABSENT: Readonly<Record<string, string>> = {
  EFFECTIVENESS_COUNTERFLOW: 'C_r',
  EFFECTIVENESS_PARALLEL_FLOW: 'C_r',
  EFFECTIVENESS_SHELL_TUBE: 'C_r',
  COMPETITIVE_INHIBITION: 'I',
  MIXED_INHIBITION: 'I',
  WIND_POWER_LAW: 'alpha',
  HETEROZYGOSITY_DRIFT: 't',
  LUMPED_CAPACITANCE: 't',
  SEMI_INFINITE_TEMPERATURE: 'x',
  CO2_ROOM_BUILDUP: 'G t',
  MUSKINGUM: 'I2 I1 O1',
  BPR_TRAVEL_TIME: 'V',
  MM1_TIME_PERCENTILE: 'lambda',
  BOND_PRICE: 'c M',
  PORTFOLIO_VARIANCE: 'sigma_1 sigma_2',
  WACC: 'D r_D',
  UNLEVERED_BETA: 'D',
  MODIGLIANI_MILLER_COST: 'D',
  LCOE_ANNUITY: 'M',
  PIPE_SYSTEM_CURVE: 'Q L',
  SPECIFIC_ENERGY: 'Q',
  NPSH_AVAILABLE: 'P_v',
  EULER_TURBOMACHINE: 'u1',
  CAVITATION_NUMBER: 'P_v',
  GEOTHERM: 'z q0',
  BOUSSINESQ_CIRCULAR_LOAD: 'z',
  RANKINE_ACTIVE_PRESSURE: 'z',
  BORDA_CARNOT: 'm',
  DISK_CHARGE_FIELD: 'z',
  SOLENOID_FIELD: 'R',
  GUIDE_WAVELENGTH: 'f_c',
  DEBYE_PERMITTIVITY: 'omega',
  JENSEN_WAKE: 'x',
  GAUSSIAN_PLUME: 'H',
  SECANT_COLUMN: 'e',
  PERRY_ROBERTSON: 'eta',
  LATERAL_TORSIONAL_BUCKLING: 'C_w',
  CONDENSATE_FRACTION: 'T',
  BCS_GAP_TEMPERATURE: 'T',
  LONDON_PENETRATION_DEPTH: 'T',
  CRITICAL_FIELD_PARABOLIC: 'T',
  LED_ABC_MODEL: 'A C',
  SRH_RECOMBINATION: 'n p',
  HALL_TWO_CARRIERS: 'n p',
  MASS_ACTION_CARRIERS: 'N',
  ION_SOUND_SPEED: 'T_i',
  PLASMA_BETA: 'T_i n_i',
  BENNETT_PINCH: 'T_i',
  BOHM_GROSS: 'k T_e',
  BORN_YUKAWA: 'mu',
  EFFECTIVE_RANGE_CROSS_SECTION: 'k',
  EE_TO_MUMU: 'm',
  LUMINOSITY_COLLIDER: 's_z',
  HUBBLE_PARAMETER_Z: 'Omega_m',
  SIMC_GAIN: 'theta',
  IMC_PID_GAIN: 'theta',
  LOCAL_LEVEL_KALMAN_GAIN: 'r',
  KALMAN_GAIN: 'R',
  DF_DEADZONE: 'delta',
  GOLDMAN_HODGKIN_KATZ: 'P_K P_Na P_Cl K_o Na_o Cl_i K_i Na_i Cl_o',
  VAN_DEEMTER: 'B C',
  PEAK_SHORT_CIRCUIT: 'R',
  NONINVERTING_AMPLIFIER: 'R_f',
  LOADED_VOLTAGE_DIVIDER: 'R1',
  OPAMP_INPUT_NOISE: 'R',
  WEBER_JET_BREAKUP: 'mu',
  TAYLOR_ARIS: 'U',
  TWO_PROPORTION_Z: 'x_1 x_2',
  Q_VALUE: 'm_a m_b',
  NET_COUNT_UNCERTAINTY: 'N_b',
  POWER_SCREW_TORQUE: 'd_c',
  KO100: 'zeta omega',
  VIBRATION_TRANSMISSIBILITY: 'zeta',
  ROTATING_UNBALANCE: 'zeta',
  VBELT_TENSION: 'm',
  PK_IV_BOLUS: 't',
  GAMMA_SHIELDING_BERGER: 'x',
  DEAD_TIME_NONPARALYZABLE: 'tau',
  DEAD_TIME_PARALYZABLE: 'tau',
  SEAWATER_DENSITY_LINEAR: 'alpha beta',
  RHE3: 'gdot',
  HERSCHEL_BULKLEY: 'gdot',
  CARREAU_YASUDA: 'gdot',
  JOHNSON_COOK: 'epsilon',
  GOODMAN: 'sigma_a',
  SPACE_VELOCITY: 'd',
  BUTTERWORTH_MAGNITUDE: 'f',
  RC_LOWPASS_GAIN: 'f',
  BER_BPSK: 'gamma_b',
  BER_BPSK_RAYLEIGH: 'gamma_m',
}

test('what is absent is zero: its term is gone and the rest is computed', () => {
  for (const [id, symbols] of Object.entries(ABSENT)) {
    const { example } = registry.operator(id).row
    for (const symbol of symbols.split(' ')) {
      const it = { id, out: example?.output ?? '', inputs: { ...example?.inputs, [symbol]: 0 } }
      const { code, why, value } = outcomeOf(registry, it)
      assert.equal(code, 'computed', `${id} without ${symbol}: ${why}`)
      assert.notEqual(value, example?.value, `${id} without ${symbol}`)
    }
  }
})

test.run()
