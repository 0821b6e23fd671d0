// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Escrow} from "./Escrow.sol";
import {IERC20, SafeToken} from "./SafeToken.sol";
import {PaymentInfo} from "./PaymentInfo.sol";
import {ReentrancyGuard} from "./ReentrancyGuard.sol";

/// @notice The marketplace's hand on the escrow: one fixed fee, one treasury, one facilitator. It answers both
/// interfaces that live operators have, with and without the trailing `bytes`.
contract Operator is ReentrancyGuard {
    struct AuthorizedFees {
        uint16 totalFeeBps;
        uint16 protocolFeeBps;
    }

    Escrow public immutable ESCROW;
    address public immutable FEE_RECIPIENT;
    address public immutable FACILITATOR;
    uint16 public immutable FEE_BPS;
    uint256 public immutable MAX_DEPOSIT;

    /// @notice The fee is locked when the payment is authorized.
    mapping(bytes32 paymentInfoHash => AuthorizedFees) public authorizedFees;

    event AuthorizationCreated(
        bytes32 indexed paymentInfoHash, address indexed payer, address indexed receiver, uint256 amount,
        uint256 timestamp
    );
    event ChargeExecuted(
        bytes32 indexed paymentInfoHash, address indexed payer, address indexed receiver, uint256 amount,
        uint256 timestamp
    );
    event ReleaseExecuted(PaymentInfo paymentInfo, uint256 amount, uint256 timestamp);
    event RefundInEscrowExecuted(PaymentInfo paymentInfo, address indexed payer, uint256 amount);
    event RefundPostEscrowExecuted(PaymentInfo paymentInfo, address indexed payer, uint256 amount);
    event FeesDistributed(address indexed token, uint256 protocolAmount, uint256 arbiterAmount);

    error ZeroAddress();
    error FeeTooHigh();
    error ConditionNotMet();
    error InvalidFeeReceiver();
    error FeeBoundsIncompatible(uint16 totalFeeBps, uint16 minFeeBps, uint16 maxFeeBps);
    error ForbiddenReceiver(address receiver);
    error DepositLimitExceeded(uint256 amount, uint256 limit);

    modifier onlyIf(bool condition) {
        if (!condition) revert ConditionNotMet();
        _;
    }

    constructor(address escrow, address treasury, address facilitator, uint16 feeBps, uint256 maxDeposit) {
        if (escrow == address(0) || treasury == address(0) || facilitator == address(0)) revert ZeroAddress();
        if (feeBps > 10_000) revert FeeTooHigh();
        ESCROW = Escrow(escrow);
        FEE_RECIPIENT = treasury;
        FACILITATOR = facilitator;
        FEE_BPS = feeBps;
        MAX_DEPOSIT = maxDeposit;
    }

    /// @notice Anyone may relay a payer's authorization, but only whole: a stranger who could choose a smaller
    /// amount would spend the payer's signature on it.
    function authorize(
        PaymentInfo calldata paymentInfo, uint256 amount, address tokenCollector, bytes calldata collectorData
    ) external nonReentrant onlyIf(amount == paymentInfo.maxAmount || _isPayerOrFacilitator(paymentInfo)) {
        bytes32 hash = _lockFee(paymentInfo, amount);
        ESCROW.authorize(paymentInfo, amount, tokenCollector, collectorData);
        emit AuthorizationCreated(hash, paymentInfo.payer, paymentInfo.receiver, amount, block.timestamp);
    }

    /// @notice Pays at once. The same signature would allow an authorization, so a stranger may not choose this.
    function charge(
        PaymentInfo calldata paymentInfo, uint256 amount, address tokenCollector, bytes calldata collectorData
    ) external nonReentrant onlyIf(_isPayerOrFacilitator(paymentInfo)) {
        bytes32 hash = _lockFee(paymentInfo, amount);
        ESCROW.charge(paymentInfo, amount, tokenCollector, collectorData, FEE_BPS, address(this));
        emit ChargeExecuted(hash, paymentInfo.payer, paymentInfo.receiver, amount, block.timestamp);
    }

    function release(PaymentInfo calldata paymentInfo, uint256 amount) external {
        _release(paymentInfo, amount);
    }

    function release(PaymentInfo calldata paymentInfo, uint256 amount, bytes calldata) external {
        _release(paymentInfo, amount);
    }

    function refundInEscrow(PaymentInfo calldata paymentInfo, uint120 amount) external {
        _refundInEscrow(paymentInfo, amount);
    }

    function refundInEscrow(PaymentInfo calldata paymentInfo, uint120 amount, bytes calldata) external {
        _refundInEscrow(paymentInfo, amount);
    }

    function refundPostEscrow(
        PaymentInfo calldata paymentInfo, uint256 amount, address tokenCollector, bytes calldata collectorData
    ) external nonReentrant onlyIf(msg.sender == FACILITATOR) {
        ESCROW.refund(paymentInfo, amount, tokenCollector, collectorData);
        emit RefundPostEscrowExecuted(paymentInfo, paymentInfo.payer, amount);
    }

    /// @notice Moves the collected fees to the treasury. Anyone may call it: the destination is fixed.
    function distributeFees(address token) external nonReentrant {
        if (token == address(0)) revert ZeroAddress();
        uint256 amount = IERC20(token).balanceOf(address(this));
        if (amount == 0) return;
        SafeToken.send(token, FEE_RECIPIENT, amount);
        emit FeesDistributed(token, 0, amount);
    }

    /// @notice The fee is a constant of this contract, so it is its own calculator.
    function FEE_CALCULATOR() external view returns (address) {
        return address(this);
    }

    function calculateFee(PaymentInfo calldata, uint256, address) external view returns (uint256) {
        return FEE_BPS;
    }

    /// @notice No protocol takes a share here.
    function PROTOCOL_FEE_CONFIG() external pure returns (address) {
        return address(0);
    }

    function accumulatedProtocolFees(address) external pure returns (uint256) {
        return 0;
    }

    /// Late release is refused by the escrow; the payer needs no facilitator to pay.
    function _release(PaymentInfo calldata info, uint256 amount)
        private nonReentrant onlyIf(_isPayerOrFacilitator(info))
    {
        uint16 feeBps = authorizedFees[ESCROW.getHash(info)].totalFeeBps;
        ESCROW.capture(info, amount, feeBps, address(this));
        emit ReleaseExecuted(info, amount, block.timestamp);
    }

    /// Not by the payer: a payer who could would take the bounty back after seeing the work.
    function _refundInEscrow(PaymentInfo calldata info, uint120 amount)
        private nonReentrant onlyIf(msg.sender == FACILITATOR)
    {
        ESCROW.partialVoid(info, amount);
        emit RefundInEscrowExecuted(info, info.payer, amount);
    }

    function _lockFee(PaymentInfo calldata info, uint256 amount) private returns (bytes32 hash) {
        if (info.feeReceiver != address(this)) revert InvalidFeeReceiver();
        if (FEE_BPS < info.minFeeBps || FEE_BPS > info.maxFeeBps) {
            revert FeeBoundsIncompatible(FEE_BPS, info.minFeeBps, info.maxFeeBps);
        }
        _requireReceiver(info);
        if (amount > MAX_DEPOSIT) revert DepositLimitExceeded(amount, MAX_DEPOSIT);
        hash = ESCROW.getHash(info);
        authorizedFees[hash] = AuthorizedFees(FEE_BPS, 0);
    }

    function _requireReceiver(PaymentInfo calldata info) private view {
        address receiver = info.receiver;
        bool forbidden = receiver == address(0) || receiver == info.payer || receiver == address(this)
            || receiver == FEE_RECIPIENT;
        if (forbidden) revert ForbiddenReceiver(receiver);
    }

    function _isPayerOrFacilitator(PaymentInfo calldata info) private view returns (bool) {
        return msg.sender == info.payer || msg.sender == FACILITATOR;
    }
}
