// Goal: the constants are those of CODATA 2022 and the SI of 2019. Method: exact ones are computed again at 50 digits
// from the seven defining constants; measured ones are held against relations that the adjustment satisfies within its
// digits; the digest is pinned, so that a changed digit shows.
import assert from 'node:assert/strict'
import { parseUnit } from '#core/units.ts'
import { CONSTANTS, constantOf, constantsDigest, constantsNamed } from '#numerics/operators/constants.ts'
import { Precise } from '#numerics/operators/decimal.ts'
import { parseExpression } from '#numerics/operators/grammar.ts'
import { evaluatePrecisely } from '#numerics/operators/precise.ts'
import { suite } from '../../kit/suite.ts'
import { faultOf } from './table.ts'

const test = suite('constants')

const value = (text: string) => evaluatePrecisely(parseExpression(text), new Map())

test('the seven defining constants of the SI', () => {
  const defining = {
    c: '299792458',
    h: '6.62607015e-34',
    e: '1.602176634e-19',
    k_B: '1.380649e-23',
    N_A: '6.02214076e23',
  }
  for (const [key, text] of Object.entries(defining)) assert.equal(constantOf(key).text, text)
})

test('exact constants follow from them to 48 digits', () => {
  const derived: Readonly<Record<string, string>> = {
    hbar: '@h/(2*pi)',
    R: '@N_A*@k_B',
    F: '@N_A*@e',
    sigma_SB: '2*pi^5*@k_B^4/(15*@h^3*@c^2)',
    c_1: '2*pi*@h*@c^2',
    c_2: '@h*@c/@k_B',
    K_J: '2*@e/@h',
    R_K: '@h/@e^2',
    Phi_0: '@h/(2*@e)',
    G_0: '2*@e^2/@h',
    V_m: '@N_A*@k_B*273.15/101325',
    n_L: '101325/(@k_B*273.15)',
    eV: '@e',
    pc: '@au*648000/pi',
    ly: '@c*@yr',
    yr: '365.25*86400',
  }
  for (const [key, expression] of Object.entries(derived)) {
    const wanted = value(expression)
    const found = new Precise(constantOf(key).text)
    assert.ok(found.minus(wanted).abs().lte(wanted.times('1e-48')), `${key}: ${found} instead of ${wanted}`)
    assert.equal(constantOf(key).exact, true)
  }
  const x = value('@h*@c/(@k_B*@b_Wien)')
  assert.ok(x.minus(5).times(x.exp()).plus(5).abs().lte('1e-44'))
  const y = value('@b_Wien_f*@h/@k_B')
  assert.ok(y.minus(3).times(y.exp()).plus(3).abs().lte('1e-44'))
})

test('measured constants satisfy the relations between them', () => {
  const relations: readonly (readonly [string, string, string])[] = [
    ['@epsilon_0*@mu_0*@c^2', '1', '1e-11'],
    ['@Z_0', '@mu_0*@c', '1e-11'],
    ['@alpha_fs', '@e^2/(4*pi*@epsilon_0*@hbar*@c)', '1e-10'],
    ['@a_0', '@hbar/(@m_e*@c*@alpha_fs)', '1e-9'],
    ['@R_inf', '@alpha_fs^2*@m_e*@c/(2*@h)', '1e-9'],
    ['@E_h', '2*@h*@c*@R_inf', '1e-11'],
    ['@lambda_C', '@h/(@m_e*@c)', '1e-9'],
    ['@r_e', '@alpha_fs^2*@a_0', '1e-9'],
    ['@sigma_T', '8*pi*@r_e^2/3', '1e-9'],
    ['@mu_B', '@e*@hbar/(2*@m_e)', '1e-9'],
    ['@mu_N', '@e*@hbar/(2*@m_p)', '1e-9'],
    ['@mu_electron', '@g_e*@mu_B/2', '1e-9'],
    ['@mu_proton', '@g_p*@mu_N/2', '1e-9'],
    ['@gamma_e', '-2*@mu_electron/@hbar', '1e-9'],
    ['@gamma_p', '2*@mu_proton/@hbar', '1e-9'],
    ['@molar_mass_u', '@N_A*@m_u', '1e-9'],
    ['@l_Planck', 'sqrt(@hbar*@G/@c^3)', '1e-5'],
    ['@m_Planck', 'sqrt(@hbar*@c/@G)', '1e-5'],
    ['@t_Planck', '@l_Planck/@c', '1e-5'],
    ['@Theta_Planck', '@m_Planck*@c^2/@k_B', '1e-5'],
  ]
  for (const [left, right, slack] of relations) {
    const wanted = value(right)
    assert.ok(value(left).minus(wanted).abs().lte(wanted.abs().times(slack)), `${left} is not ${right}`)
  }
})

test('keys differ by more than case, units parse, uncertainties fit', () => {
  assert.equal(new Set(CONSTANTS.map((it) => it.key.toLowerCase())).size, CONSTANTS.length)
  for (const it of CONSTANTS) {
    assert.ok(parseUnit(it.unit).factor.num === 1n && parseUnit(it.unit).factor.den === 1n, `${it.key} is in SI`)
    assert.ok(Number.isFinite(it.value) && it.value !== 0)
    assert.equal(it.exact, it.uncertainty === '0')
    assert.ok(Number(it.uncertainty) < Math.abs(it.value) * 1e-2)
  }
  assert.deepEqual(
    constantsNamed('k').map((it) => it.key),
    ['k_B'],
  )
  assert.equal(faultOf(() => constantOf('constructor')).code, 'CONSTANT_NOT_FOUND')
})

test('the table is the one whose digest receipts carry', () => {
  assert.equal(constantsDigest, 'b955145d83cb631fb592747cbda05362d51dbf824280d139962517304bb62680')
})

test.run()
