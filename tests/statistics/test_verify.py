"""The checks of verify.py with seed 1; `make verify SEED=n` runs them with others."""
import pytest

import verify


@pytest.mark.parametrize("name", verify.CHECKS)
def test_measured_against_known(name):
    checks = list(verify.run([name], 1))
    assert checks
    for check in checks:
        assert check.p >= verify.LEVEL, check
    low = sum(check.p < 0.01 for check in checks)
    assert verify.of_count(low, len(checks), 0.01) >= verify.LEVEL or low < len(checks) / 100


def test_a_check_can_fail():
    """The p-values: five standard deviations off is below the limit, on the spot is not."""
    assert verify.of_count(500, 1000, 0.5) == 1.0 and verify.of_count(590, 1000, 0.5) < verify.LEVEL
    assert verify.of_mean(1.0, 0.1, 1.49) > verify.LEVEL > verify.of_mean(1.0, 0.1, 1.51)
    assert verify.of_median(5, 100, [4, 5, 6]) == 1.0
    assert verify.of_median(5, 400, [6] * 400) < verify.LEVEL
    assert verify.of_distance(0.3, 200) < verify.LEVEL < verify.of_distance(0.1, 200)
