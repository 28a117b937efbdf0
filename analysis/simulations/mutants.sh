#!/usr/bin/env bash
# Breaks the statistics on purpose, one mistake at a time, and expects the named tests to fail. A mutant is one
# substitution in one file, which is compiled and linked before the libraries that hold the right one.
#   analysis/simulations/mutants.sh [BUILD_FOLDER]      after hitmark_{statistics,analysis,simulations}_test were built
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$(realpath "${1:-build/release}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# file | test program | tests that must fail | perl substitution
mutants() { cat <<'LIST'
analysis/contrast_correction.cpp|simulations|FalseAlarmsOfATable.*|s/holm_adjusted\(p_values\)/p_values/
analysis/contrast_correction.cpp|analysis|ContrastCorrection.SignFlips*|s/kFewestArrangements \* least/least/
analysis/statistics/holm.cpp|statistics|Holm.*|s/order\.size\(\) - rank/order.size()/
analysis/statistics/interval.cpp|simulations|*Coverage.*normal|s/interval\.standard_deviation \/ std::sqrt\(n\)/interval.standard_deviation/
analysis/statistics/interval.cpp|simulations|*Coverage.*normal|s/student_quantile\(0\.5 \+ confidence \/ 2, n - 1\)/1.96/
analysis/statistics/interval.cpp|statistics|MeanInterval.OfStudents*|s/squares \/ \(n - 1\)/squares \/ n/
analysis/statistics/interval.cpp|statistics|MeanInterval.HasNo*|s/interval\.count < MeanInterval::kFewestValues/interval.count < 2/
analysis/statistics/interval.cpp|statistics|MeanInterval.IsStudentsBelow*|s/interval\.count < MeanInterval::kBootstrapFrom/true/
analysis/statistics/bootstrap.cpp|statistics|Bootstrap.IsWiderWhere*|s/std::sqrt\(variance \/ count\)/std::sqrt(squares) \/ count/
analysis/statistics/bootstrap.cpp|statistics|Bootstrap.*|s/squares \/ \(n - 1\) \/ n/squares \/ (n - 1)/
analysis/statistics/bootstrap.cpp|statistics|Bootstrap.*|s/t\.end\(\) - beyond/t.end() - beyond \/ 2/
analysis/statistics/permutation.cpp|statistics|SignFlip.OfDarwins*|s/as_extreme \+= std::abs\(sum\)/as_extreme += sum/
analysis/statistics/permutation.cpp|statistics|SignFlip.OfAgreeing*|s/int as_extreme = 1/int as_extreme = 0/
analysis/statistics/effect_size.cpp|statistics|HedgesG.*|s/return correction \*/return/
analysis/statistics/group_sequential.cpp|statistics|AlphaSpending.*|s/spending\(fraction, alpha\) - spent/alpha * (fraction - so_far)/
analysis/statistics/power.cpp|statistics|Power.*|s/design\.paired \? 1\.0 : 2\.0/1.0/
analysis/statistics/power.cpp|statistics|Power.*|s/1 - design\.alpha \/ 2, degrees/1 - design.alpha, degrees/
analysis/statistics/trend.cpp|statistics|Trend.*|s/2 \* cdf/cdf/
analysis/statistics/modes.cpp|statistics|Modes.DoesNot*|s/kDepth = 8/kDepth = 2/
analysis/statistics/modes.cpp|statistics|Modes.Few*|s/kLeastShare = 0\.05/kLeastShare = 0.001/; s/kLeastPeak = 8/kLeastPeak = 1/
analysis/until_decided.cpp|simulations|*UntilDecided.KeepsTheErrorRate*|s/= nominal_levels\([^\n]*;/= std::vector<double>(fractions.size(), alpha);/
analysis/until_decided.cpp|analysis|GoOn.*|s/contrast\.arm != judged\.headline/false/
analysis/condition_comparison.cpp|simulations|*UntilDecided.KeepsTheErrorRate*|s/1 - rule\.alpha/0.95/g; s/1 - options\.alpha/0.95/g; s/log_ratio\.p_value;/log_ratio.p_value ? std::optional(0.0) : std::nullopt;/; s/= by_net\.sign_flip_p;/= std::optional(0.0);/
analysis/block_costs.cpp|simulations|PlantedEffects.*|s/std::log\(arm\) - std::log\(reference\)/std::log(reference) - std::log(arm)/
analysis/block_costs.cpp|analysis|BlockCosts.*:Comparison.*|s/median\(std::move\(values\)\)/values.front()/
analysis/block_state.cpp|analysis|BlockState.*|s/same \? state : -1/state/
analysis/block_state.cpp|analysis|BlockState.*|s/if \(trend\.p_value[^;]*;//; s/if \(std::abs\(trend\.change\) < kNotableDrift\) continue;//
analysis/evidence.cpp|simulations|FalseAlarmsOfPlacement.*|s/value \+ own->second/value/; s/value - own->second/value/
analysis/evidence.cpp|analysis|Comparison.ADifferenceWithin*|s/std::abs\(student_interval\(\*values\)\.mean\)/0.0/; s/value \+ own->second/value/; s/value - own->second/value/
analysis/verdict.cpp|simulations|FalseAlarmsOfPlacement.*|s/&& all_beyond\([^\n]*\)\)\n/)\n/g
analysis/verdict.cpp|simulations|Equivalence.*|s/low >= -margin && high <= margin/low >= -margin || high <= margin/
analysis/verdict.cpp|analysis|Comparison.*|s/low >= -margin && high <= margin/low <= 0 && high >= 0/
analysis/verdict.cpp|simulations|Undecided.*|s/ \/ std::sqrt\(n\)//g
LIST
}

libraries=("$build/analysis/libhitmark_analysis.a" "$build/analysis/statistics/libhitmark_statistics.a"
  "$build/harness/results/libhitmark_results.a" "$build/support/libhitmark_support.a")
survived=0 count=0
while IFS='|' read -r file program tests substitution; do
  count=$((count + 1))
  label="$file: $substitution"
  perl -0pe "$substitution" "$file" >"$work/mutant.cpp"
  if cmp -s "$file" "$work/mutant.cpp"; then
    printf 'NO MUTANT  %s (the code no longer has what it breaks)\n' "$label"
    survived=$((survived + 1))
    continue
  fi
  folder=$build/analysis/${program/#analysis/.}
  objects=()  # of sources that are there: a build folder may hold older ones
  for source in "analysis/${program/#analysis/.}"/*_test.cpp; do
    objects+=("$folder/CMakeFiles/hitmark_${program}_test.dir/$(basename "$source").o")
  done
  if ! g++ -std=c++20 -O0 -w -I. -I"$build/generated" -c "$work/mutant.cpp" -o "$work/mutant.o" ||
    ! g++ -o "$work/mutant" "${objects[@]}" "$work/mutant.o" "${libraries[@]}" -lsqlite3 -lgmock -lgtest_main -lgtest; then
    printf 'NO MUTANT  %s (it does not compile)\n' "$label"
    survived=$((survived + 1))
    continue
  fi
  # The right code passes these tests: ctest sees to that.
  if (cd "analysis/${program/#analysis/.}" && timeout 300 "$work/mutant" --gtest_filter="$tests") >"$work/output" 2>&1; then
    printf 'SURVIVED   %s (%s %s)\n' "$label" "$program" "$tests"
    survived=$((survived + 1))
  else
    printf 'killed     %s, by %s\n' "$label" \
      "$(sed -n 's/^\[  FAILED  \] \([A-Za-z][^ ,]*\).*/\1/p' "$work/output" | sort -u | head -n 3 | tr '\n' ' ')"
  fi
done < <(mutants)
printf '%d mutants, %d not killed\n' "$count" "$survived"
[ "$survived" = 0 ]
