"""A European call by QuantLib's quasi-Monte-Carlo engine: quantlib.py <paths>; and the geometric Asian: <paths> <dates>.

QuantLib's Sobol points are not scrambled: one sequence of all paths, one step a path, the price alone.
"""

import sys
import time

import QuantLib as ql

paths = int(sys.argv[1])
dates = int(sys.argv[2]) if len(sys.argv) > 2 else 0
today = ql.Date(1, 1, 2025)
ql.Settings.instance().evaluationDate = today
# A day count of 360 makes the year exactly 1.
count = ql.SimpleDayCounter()
expiry = ql.Date(1, 1, 2026)
spot = ql.QuoteHandle(ql.SimpleQuote(100))
rate = ql.YieldTermStructureHandle(ql.FlatForward(today, 0.05, count))
none = ql.YieldTermStructureHandle(ql.FlatForward(today, 0, count))
volatility = ql.BlackVolTermStructureHandle(ql.BlackConstantVol(today, ql.NullCalendar(), 0.2, count))
process = ql.BlackScholesMertonProcess(spot, none, rate, volatility)
payoff = ql.PlainVanillaPayoff(ql.Option.Call, 100)
exercise = ql.EuropeanExercise(expiry)
if dates == 0:
    option = ql.VanillaOption(payoff, exercise)
    option.setPricingEngine(ql.AnalyticEuropeanEngine(process))
    exact = option.NPV()
    engine = ql.MCEuropeanEngine(process, "lowdiscrepancy", timeSteps=1, requiredSamples=paths, seed=1)
else:
    months = [today + ql.Period(k + 1, ql.Months) for k in range(dates)]
    option = ql.DiscreteAveragingAsianOption(ql.Average.Geometric, 1.0, 0, months, payoff, exercise)
    option.setPricingEngine(ql.AnalyticDiscreteGeometricAveragePriceAsianEngine(process))
    exact = option.NPV()
    engine = ql.MCDiscreteGeometricAPEngine(process, "lowdiscrepancy", brownianBridge=True, requiredSamples=paths, seed=1)
option.setPricingEngine(engine)
began = time.process_time()
price = option.NPV()
ms = 1e3 * (time.process_time() - began)
print(f"{ms:.3f} {price / exact - 1:.3e} of the price")
